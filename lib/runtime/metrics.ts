import { Metrics } from '@aws-lambda-powertools/metrics';
import type { LookupReply } from '#lib/core/lookup-reply.ts';
import { tokens } from '#lib/core/tokens.ts';
import type { Model } from '#lib/ports.ts';
import type { AdmitOutcome } from '#lib/usecases/admit.ts';
import type { RecomputeOutcome } from '#lib/usecases/recompute-domain.ts';

export const NAMESPACE = 'KnowHub';

/** The one table of metrics (spec, section 8): unit, and the dimension by which each is told apart. */
export const METRICS = {
  /** `L0`, `L1`, `L0+L1`, `none`. */
  Lookups: { unit: 'Count', dimension: 'level' },
  /** Lookups that handed nothing over because of the session: `domain_searched`, `domain_fruitless`, `already_returned`. */
  Stops: { unit: 'Count', dimension: 'reason' },
  LookupTime: { unit: 'Milliseconds', dimension: 'level' },
  /** `approved`, `rejected`, `waits`. */
  Admissions: { unit: 'Count', dimension: 'decision' },
  JudgeCalls: { unit: 'Count', dimension: undefined },
  /** Calls of a model that send an earlier answer back, by prompt. */
  ModelRetries: { unit: 'Count', dimension: 'prompt' },
  /** Items admitted without a verdict (R4.5). */
  Fallbacks: { unit: 'Count', dimension: undefined },
  /** Estimated, by prompt; `embed` for embeddings. */
  ModelTokens: { unit: 'Count', dimension: 'prompt' },
  /** How long a message had lain in its queue, by message type. */
  QueueAge: { unit: 'Milliseconds', dimension: 'queue' },
  /** Messages that failed for the last time, by queue. */
  DeadLetters: { unit: 'Count', dimension: 'queue' },
  /** Domain texts written. */
  RecomputeCalls: { unit: 'Count', dimension: undefined },
  /** Replies by HTTP status class: `4xx`, `5xx`. */
  HttpErrors: { unit: 'Count', dimension: 'class' },
} as const satisfies Record<string, { unit: 'Count' | 'Milliseconds'; dimension: string | undefined }>;
export type MetricName = keyof typeof METRICS;

/** Counts one thing; `by` is the value of the metric's dimension. */
export type Meter = (name: MetricName, value: number, by?: string) => void;

/** A meter that writes CloudWatch's embedded format, one line a value: dimensions of different metrics never mix. */
export function createMeter(service: string): Meter {
  const metrics = new Metrics({ namespace: NAMESPACE, serviceName: service });
  return (name, value, by) => {
    const { unit, dimension } = METRICS[name];
    const single = metrics.singleMetric();
    if (dimension !== undefined && by !== undefined) single.addDimension(dimension, by);
    single.addMetric(name, unit, value);
  };
}

export function meterLookup(meter: Meter, reply: LookupReply, domain: string | undefined): void {
  meter('Lookups', 1, reply.level);
  meter('LookupTime', reply.took_ms, reply.level);
  if (reply.documents.length > 0) return;
  const searched = domain !== undefined && reply.session.searched_domains.includes(domain);
  const reason = searched ? 'domain_searched' : reply.suppressed[0]?.reason;
  if (reason !== undefined) meter('Stops', 1, reason);
}

export function meterAdmission(meter: Meter, outcome: AdmitOutcome): void {
  if (outcome.kind === 'waits') meter('Admissions', 1, 'waits');
  if (outcome.kind !== 'decided') return;
  const { status, decided } = outcome.item;
  meter('Admissions', 1, status);
  if (decided?.basis === 'last_resort') meter('Fallbacks', 1);
}

export function meterRecompute(meter: Meter, outcome: RecomputeOutcome): void {
  if (outcome.kind === 'written') meter('RecomputeCalls', 1);
}

/** The same model, its calls counted. */
export function meteredModel(model: Model, meter: Meter): Model {
  return {
    embedder: model.embedder,
    writer: model.writer,
    async embed(texts, role) {
      meter('ModelTokens', sum(texts), 'embed');
      return model.embed(texts, role);
    },
    async complete(completion) {
      const prompt = completion.prompt.split('@')[0] ?? completion.prompt;
      if (prompt === JUDGE) meter('JudgeCalls', 1);
      if (completion.repairs.length > 0) meter('ModelRetries', 1, prompt);
      const reply = await model.complete(completion);
      const sent = completion.repairs.flatMap(({ reply: earlier, problem }) => [earlier, problem]);
      meter('ModelTokens', sum([completion.system, completion.user, ...sent, reply.text]), prompt);
      return reply;
    },
  };
}

const JUDGE = 'judge-relations';

const sum = (texts: readonly string[]): number => texts.reduce((all, text) => all + tokens(text), 0);
