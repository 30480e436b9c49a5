import { existsSync, readFileSync } from 'node:fs';
import * as z from 'zod';
import { Settings } from '#lib/core/settings.ts';
import { WORKER_TIMEOUT } from '#lib/infra/times.ts';
import { EmbedderChoice, WriterChoice } from '#lib/runtime/models.ts';
import { InboxRule } from '#lib/usecases/take-from-inbox.ts';

const Auth = z.discriminatedUnion('mode', [
  /** Requests are signed (SigV4); who may call is a matter of the caller's own `execute-api:Invoke`. */
  z.strictObject({ mode: z.literal('iam') }),
  z.strictObject({
    mode: z.literal('jwt'),
    issuer: z.url({ protocol: /^https$/ }),
    audience: z.array(z.string().min(1)).min(1),
    /** The token's claim that holds the caller's scopes (R6.8). */
    scopes_claim: z.string().min(1).default('scope'),
  }),
]);

const Arn = z.string().regex(/^arn:[^*\s]+$/, 'an ARN without wildcards');

/** An inference profile needs its own ARN and those of all models that it may choose: they are data, not derived. */
const Arns = z.array(Arn).min(1).optional();

const Models = z
  .strictObject({
    writer: WriterChoice.prefault({ bedrock: { model: 'amazon.nova-pro-v1:0' } }),
    writer_arns: Arns,
    embedder: EmbedderChoice.prefault({ bedrock: {} }),
    embedder_arns: Arns,
    /** In place of Bedrock's own address, e.g. a stand-in on 127.0.0.1. */
    bedrock_url: z.url().optional(),
  })
  .check(({ value, issues }) => {
    for (const role of ['writer', 'embedder'] as const) {
      const choice = value[role];
      if (choice === 'stand-in' || !('bedrock' in choice) || value[`${role}_arns`] !== undefined) continue;
      if (choice.bedrock.profile === '' && !choice.bedrock.model.startsWith('arn:')) continue;
      const message = 'a profile, or a model named by its ARN, needs the ARNs that may be invoked';
      issues.push({ code: 'custom', path: [`${role}_arns`], message, input: undefined });
    }
  });

const Search = z
  .strictObject({
    /** A cluster that is there already: then no domain is made. */
    url: z.url().optional(),
    instance_type: z
      .string()
      .regex(/^[a-z0-9]+\.[a-z0-9]+\.search$/, 'an instance type such as "t3.small.search"')
      .default('t3.small.search'),
    instances: z.number().int().min(1).max(40).default(1),
    volume_gib: z.number().int().min(10).max(1000).default(10),
    shards: z.number().int().min(1).max(40).default(1),
    /** Default: one more copy where there is a node for it. */
    replicas: z.number().int().min(0).max(10).optional(),
  })
  .transform(({ replicas, ...search }) => ({
    ...search,
    replicas: replicas ?? Math.min(1, search.instances - 1),
  }));

/** What of `Settings` differs, and nothing of their defaults: a model may bring floors of its own. */
const Differences = z.record(z.string(), z.unknown()).transform((given, context): Partial<Settings> => {
  const parsed = Settings.partial().safeParse(given);
  for (const issue of parsed.error?.issues ?? [])
    context.addIssue({ code: 'custom', path: issue.path, message: issue.message });
  if (!parsed.success) return z.NEVER;
  const { lease_ms, claim_reset_ms } = Settings.parse(parsed.data);
  if (!(WORKER_TIMEOUT.toMilliseconds() < lease_ms && lease_ms < claim_reset_ms))
    context.addIssue({
      code: 'custom',
      message: `a function (${WORKER_TIMEOUT.toMilliseconds()} ms) must be over before its lease_ms ends, and a lease before claim_reset_ms`,
    });
  const entries = Object.entries(parsed.data).filter(([name]) => Object.hasOwn(given, name));
  return Object.fromEntries(entries);
});

/** SQS feeds at least two calls of a function at a time. */
const AtOnce = z.number().int().min(2).max(1000);

/** One deployment: everything that may differ between two of them. */
export const Stage = z.strictObject({
  /** Part of the stack's and the search domain's names. */
  name: z.string().regex(/^[a-z][a-z0-9-]{0,15}$/, 'up to 16 of a-z, 0-9 and -, a letter first'),
  /** Default: those of the credentials that deploy. */
  account: z
    .string()
    .regex(/^\d{12}$/, 'an account has 12 digits')
    .optional(),
  region: z
    .string()
    .regex(/^[a-z]{2,}(-[a-z]+)+-\d$/, 'a region such as "eu-west-1"')
    .optional(),
  /** What becomes of tables, bucket and logs when the stack goes; `retain` protects tables against deletion too. */
  removal: z.enum(['retain', 'destroy']).default('retain'),
  architecture: z.enum(['arm64', 'x86_64']).default('arm64'),
  memory_mib: z.number().int().min(512).max(10_240).default(1024),
  auth: Auth.default({ mode: 'iam' }),
  models: Models.prefault({}),
  opensearch: Search.prefault({}),
  /** Scopes and owners of files by prefix of their path in the inbox (R3.1). */
  inbox: z.array(InboxRule).default([]),
  /** Calls of a function at a time, by the queue that feeds it. */
  at_once: z
    .strictObject({
      inbox: AtOnce.default(5),
      admission: AtOnce.default(10),
      recompute: AtOnce.default(2),
      jobs: AtOnce.default(2),
    })
    .prefault({}),
  settings: Differences.prefault({}),
  log_level: z.enum(['DEBUG', 'INFO', 'WARN', 'ERROR']).default('INFO'),
  /** Days: one of CloudWatch's own figures. */
  log_retention: z.literal([1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731]).default(30),
  /** An SNS topic that is told of alarms. */
  alarm_topic_arn: Arn.optional(),
});
export type Stage = z.infer<typeof Stage>;

/** What is deployed when nothing is said: a stage to try things out, which leaves nothing behind. */
export const DEV = { name: 'dev', removal: 'destroy' } as const satisfies z.input<typeof Stage>;

/**
 * The stage that CDK's context names: `-c stage=prod.json`, an object in cdk.json, or nothing, which is `DEV`. Throws
 * one error that names every field at fault.
 */
export function readStage(context: unknown): Stage {
  const given = typeof context === 'string' ? readJson(context) : (context ?? DEV);
  const parsed = Stage.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new Error(
    `the stage is not usable:\n${parsed.error.issues.flatMap((issue) => linesOf(issue)).join('\n')}`,
  );
}

/** A line for each field; where one of several shapes was meant, of the one that fits furthest. */
function linesOf(issue: z.core.$ZodIssue, within: readonly PropertyKey[] = []): string[] {
  const path = [...within, ...issue.path];
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const depth = (branch: z.core.$ZodIssue[]) => Math.max(...branch.map((each) => each.path.length));
    const meant = issue.errors.reduce((best, branch) => (depth(branch) > depth(best) ? branch : best));
    return meant.flatMap((each) => linesOf(each, path));
  }
  return [`  ${path.map(String).join('.')}: ${issue.message}`];
}

function readJson(path: string): unknown {
  if (!existsSync(path)) throw new Error(`there is no stage file ${path}; docs/deploy.md shows one`);
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new Error(`the stage file ${path} is not JSON: ${(cause as Error).message}`, { cause });
  }
}
