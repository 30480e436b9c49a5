import { fileURLToPath } from 'node:url';
import { LIMITS } from '#lib/core/limits.ts';
import { addEntry } from '#lib/usecases/add-entry.ts';
import { uploadDocument } from '#lib/usecases/upload-document.ts';
import { type AskedFact, asking, type RefusedFact } from './ask.ts';
import { between, type Counts } from './counting-ports.ts';
import { countKinds, type DecisionFact, decisionFact, helpfulOf, nameOf } from './decisions.ts';
import type { DemoStores, StoresKind } from './demo-stores.ts';
import { type LocalSystem, STANDIN_SETTINGS, workOff } from './local-instance.ts';
import { type MapFact, mapFact } from './map-fact.ts';
import { N2_DOCUMENTS, n2Upload } from './n2-session.ts';
import { CURATOR, titleOf, uploadFile } from './push-files.ts';
import { type FolderFile, readFolder } from './push-folder.ts';
import { type Replay, replayN2 } from './replay-n2.ts';

/** What the demo shows, as it happens. */
export interface StoryFacts {
  stores: StoresKind;
  stand_ins: { embedder: string; writer: string };
  decisions: DecisionFact[];
  map: MapFact;
  session: (AskedFact | RefusedFact)[];
  n2: { with_domain: ReplayFact; without_domain: ReplayFact };
  twins: TwinsFact;
  totals: { decisions: Record<string, number>; counts: Counts; elapsed_ms: number };
}

export type ReplayFact = Omit<Replay, 'calls'> & {
  calls: { query: string; domain?: string; returned: string[]; store_calls: number; model_calls: number }[];
};

export interface TwinsFact {
  sent: number;
  workers: number;
  task: string;
  admitted: string[];
  rejected_as_duplicates: number;
  others: number;
  /** Of the one that was admitted. */
  helpful: number;
  judge_calls: number;
  cost: Counts;
}

/** Hears of each part as soon as it is there. */
export interface Audience {
  start(fact: { stores: StoresKind; documents: number; longest_path: number }): void;
  decision(fact: DecisionFact, nth: number): void;
  map(fact: MapFact): void;
  asked(fact: AskedFact | RefusedFact, nth: number): void;
  n2(fact: StoryFacts['n2']): void;
  twins(fact: TwinsFact): void;
  end(fact: StoryFacts['totals']): void;
}

const nothing = () => undefined;
/** Hears it all and says nothing. */
export const SILENT: Audience = {
  start: nothing,
  decision: nothing,
  map: nothing,
  asked: nothing,
  n2: nothing,
  twins: nothing,
  end: nothing,
};

const EXAMPLES = fileURLToPath(new URL('../../examples/knowledge/', import.meta.url));

/** An agent's questions, with the domain that it takes from the map. */
const QUESTIONS: readonly { query: string; domain: string }[] = [
  { query: '用户付款后一直转圈，日志里有 ERR_TIMEOUT', domain: 'payment' },
  { query: '付款一直没有结果，先查哪里？', domain: 'payment' },
  { query: 'a pod stays in Terminating and the node cannot be emptied', domain: 'infrastructure' },
  { query: 'how do I take a node out of service?', domain: 'infrastructure' },
];

const TWINS = 20;
const WORKERS = 8;
const TWIN = {
  task: 'Choose the retry interval of the invoice mailer',
  content:
    'Retry after 5 minutes, then hourly. Give up after 24 hours and open a ticket for the billing team.',
};

/** Runs the whole story once and returns its facts. */
export async function runStory(stores: DemoStores, audience: Audience): Promise<StoryFacts> {
  const started = performance.now();
  const { files } = await readFolder(EXAMPLES);
  const paths = files.map(({ category, filename }) => `${category}/${filename}`);
  const longest_path = Math.max(...paths.map(({ length }) => length));
  audience.start({ stores: stores.kind, documents: files.length, longest_path });
  const system = await stores.open();
  const { model } = system.stores;
  const stand_ins = { embedder: model.embedder.name, writer: model.writer.name };
  const decisions = await pushExamples(system, files, audience);
  await workOff(system, 1, { later: true });
  const map = await mapFact(system);
  audience.map(map);
  const session = await askQuestions(system, audience);
  const n2 = await replaySession(await stores.open());
  audience.n2(n2);
  const twins = await sendTwins(system);
  audience.twins(twins);
  const totals = {
    decisions: withTwins(countKinds(decisions), twins),
    counts: system.counts(),
    elapsed_ms: Math.round(performance.now() - started),
  };
  audience.end(totals);
  return { stores: stores.kind, stand_ins, decisions, map, session, n2, twins, totals };
}

async function pushExamples(
  system: LocalSystem,
  files: readonly FolderFile[],
  audience: Audience,
): Promise<DecisionFact[]> {
  const decisions: DecisionFact[] = [];
  for (const file of files) {
    const upload = await uploadFile(system.instance, file, LIMITS.document_bytes_api);
    if (upload.kind !== 'uploaded') throw new Error(`${file.origin}: ${upload.why}`);
    await workOff(system, 1);
    const fact = decisionFact(system.instance, upload.outcome, await titleOf(system, upload.outcome.id));
    decisions.push(fact);
    audience.decision(fact, decisions.length);
  }
  return decisions;
}

async function askQuestions(system: LocalSystem, audience: Audience) {
  const ask = asking(system, 'demo-session');
  const session: StoryFacts['session'] = [];
  for (const { query, domain } of QUESTIONS) {
    const asked = await ask(query, domain);
    session.push(asked);
    audience.asked(asked, session.length);
  }
  return session;
}

/** In a knowledge base of its own: the two documents of the note, and nothing else. */
async function replaySession(system: LocalSystem): Promise<StoryFacts['n2']> {
  const upload = uploadDocument(system.instance);
  for (const document of N2_DOCUMENTS) await upload(CURATOR, n2Upload(document));
  await workOff(system, 1, { later: true });
  const replay = async (session_id: string, name_domain: boolean): Promise<ReplayFact> => {
    const { calls, ...sums } = await replayN2(system.stores, {
      session_id,
      name_domain,
      settings: STANDIN_SETTINGS,
    });
    return {
      ...sums,
      calls: calls.map(({ query, domain, reply, store_calls, model_calls }) => ({
        query,
        ...(domain !== undefined && { domain }),
        returned: reply.documents.map(({ path }) => path),
        store_calls,
        model_calls,
      })),
    };
  };
  return { with_domain: await replay('n2-with', true), without_domain: await replay('n2-without', false) };
}

/** Equal entries, all sent before the first one is judged. */
async function sendTwins(system: LocalSystem): Promise<TwinsFact> {
  const before = system.counts();
  const add = addEntry(system.instance);
  const sent = await Promise.all(
    Array.from({ length: TWINS }, () => add({ principal: 'agent:runner', scopes: [] }, TWIN)),
  );
  await workOff(system, WORKERS);
  const fold = await system.instance.catalog.refresh();
  const items = sent.map(({ knowledge_id }) => fold.items.get(knowledge_id));
  const admitted = items.filter((item) => item?.status === 'approved').map((item) => item!.id);
  const duplicates = items.filter(
    (item) =>
      item?.status === 'rejected' &&
      item.grounds.length === 1 &&
      item.grounds[0]!.type === 'duplicate' &&
      item.grounds[0]!.id === admitted[0],
  );
  const cost = between(before, system.counts());
  return {
    sent: TWINS,
    workers: WORKERS,
    task: TWIN.task,
    admitted: admitted.map((id) => nameOf(system.instance, id)),
    rejected_as_duplicates: duplicates.length,
    others: TWINS - admitted.length - duplicates.length,
    helpful: admitted[0] === undefined ? 0 : helpfulOf(system.instance, admitted[0]),
    judge_calls: cost.models['judge-relations'] ?? 0,
    cost,
  };
}

function withTwins(decisions: Record<string, number>, twins: TwinsFact): Record<string, number> {
  const add = (kind: string, count: number) => ({ [kind]: (decisions[kind] ?? 0) + count });
  return {
    ...decisions,
    ...add('admitted', twins.admitted.length),
    ...add('rejected: duplicate', twins.rejected_as_duplicates),
  };
}
