import { type Call, gatePorts } from '#lib/adapters/memory/gate.ts';
import { createMemoryPorts, type MemoryPorts } from '#lib/adapters/memory/memory.ts';
import type { Caller } from '#lib/core/caller.ts';
import type { ItemRow } from '#lib/core/item.ts';
import type { Settings } from '#lib/core/settings.ts';
import type { Ports } from '#lib/ports.ts';
import { addEntry, type EntryInput } from '#lib/usecases/add-entry.ts';
import { type AdmitOutcome, admit } from '#lib/usecases/admit.ts';
import { createInstance, type Instance } from '#lib/usecases/instance.ts';
import { recomputeDomain } from '#lib/usecases/recompute-domain.ts';
import { relationsOf } from '#lib/usecases/relations.ts';
import { sweep } from '#lib/usecases/sweep.ts';
import { type UploadOutcome, uploadDocument } from '#lib/usecases/upload-document.ts';
import { relate } from '#test/crash/relate.ts';
import { type FakeClock, fakeClock } from '#test/support/clock.ts';
import {
  pairwiseJudge,
  type Script,
  type ScriptedModel,
  scriptedModel,
} from '#test/support/scripted-model.ts';

/** Sees everything: what tests look with. */
export const curator: Caller = { principal: 'curator', scopes: ['org:a', 'org:b'] };
/** Sees what is public. */
export const stranger: Caller = { principal: 'stranger', scopes: [] };

const DIMENSIONS = 24;

/** Tasks whose first lines are equal are near; others have nothing to do with each other. */
function oneAxisATask(): (text: string) => number[] {
  const axes = new Map<string, number>();
  return (text) => {
    const task = text.split('\n')[0]!.trim();
    if (!axes.has(task)) axes.set(task, axes.size % DIMENSIONS);
    return Array.from({ length: DIMENSIONS }, (_, axis) => (axis === axes.get(task) ? 1 : 0));
  };
}

/** A document whose author wrote every field. Its content is words, as the judge of `relate` reads them. */
export const file = (title: string, words: string): string =>
  `---\ntitle: ${title}\nsummary: about ${title}\nkeywords: [${title}]\ncovers: [${title}]\nwhen_to_retrieve: for ${title}\n---\n${words}\n`;

export interface Options {
  settings?: Partial<Settings>;
  script?: Script;
  /** Sees every call before it is made; what it throws or waits for, the caller gets. */
  before?: (call: Call) => void | Promise<void>;
}

/** A knowledge base in memory: clock and model as told, every call written down. */
export interface KnowledgeBase {
  ports: MemoryPorts;
  instance: Instance;
  clock: FakeClock;
  model: ScriptedModel;
  calls: Call[];
  /** May be changed between calls. */
  options: Options;
  /** Another running function over the same stores. */
  another(): Instance;
  /** Takes an entry in, and returns its id. */
  entry(task: string, content: string, more?: Partial<EntryInput>): Promise<string>;
  upload(path: string, content: string, more?: { scopes?: string[]; owner?: string }): Promise<UploadOutcome>;
  /** Works off the queue, what comes later in it included; outcomes by item, in order. */
  work(): Promise<AdmitOutcome[]>;
  /** Takes an entry in and works off the queue. */
  admitted(task: string, content: string, more?: Partial<EntryInput>): Promise<string>;
  /** Uploads a document and works off the queue. */
  published(path: string, content: string, more?: { scopes?: string[] }): Promise<string>;
  row(id: string): Promise<ItemRow>;
  /** Its status, with the reason of a rejection. */
  status(id: string): Promise<string>;
  /** Helpful points, the first one of R2.1 included. */
  helpful(id: string): Promise<number>;
  relations(id: string, caller?: Caller): Promise<{ type: string; target: string }[]>;
  /** Judge calls since this was asked last. */
  judgeCalls(): number;
  sweep(): ReturnType<ReturnType<typeof sweep>>;
}

export function knowledgeBase(options: Options = {}): KnowledgeBase {
  const clock = fakeClock();
  let drawn = 0;
  const random = {
    hex: (digits: number) => (drawn += 1).toString(16).padStart(digits, '0'),
    fraction: () => 0.5,
  };
  const model = scriptedModel(
    { judge: pairwiseJudge(relate), embed: oneAxisATask(), domainSummary: summary, ...options.script },
    DIMENSIONS,
  );
  const ports = createMemoryPorts({ clock, random, model });
  const calls: Call[] = [];
  const gated = gatePorts(ports, async (call, perform) => {
    calls.push(call);
    await options.before?.(call);
    return perform();
  });
  const another = () => createInstance(gated as Ports, options.settings);
  const instance = another();
  const base: KnowledgeBase = {
    ports,
    instance,
    clock,
    model,
    calls,
    options,
    another,
    async entry(task, content, more = {}) {
      return (await addEntry(instance)(curator, { task, content, ...more })).knowledge_id;
    },
    upload(path, content, more = {}) {
      const slash = path.indexOf('/');
      const name = { category: path.slice(0, slash), filename: path.slice(slash + 1) };
      return uploadDocument(instance)(curator, { ...name, content, ...more });
    },
    async work() {
      const outcomes: AdmitOutcome[] = [];
      for (let [message] = ports.queue.take(1); message; [message] = ports.queue.take(1)) {
        if (message.type === 'admit') outcomes.push(await admit(instance)(message.item_id));
        else await recomputeDomain(instance)(message.domain_id);
      }
      return outcomes;
    },
    async admitted(task, content, more) {
      const id = await base.entry(task, content, more);
      await base.work();
      return id;
    },
    async published(path, content, more) {
      const { id } = await base.upload(path, content, more);
      await base.work();
      return id;
    },
    async row(id) {
      const row = await ports.items.get(id);
      if (!row) throw new Error(`no row ${id}`);
      return row;
    },
    async status(id) {
      const { status, decision } = await base.row(id);
      return status === 'rejected' ? `rejected ${decision?.reason}` : status;
    },
    async helpful(id) {
      const lineage = (await base.row(id)).decision?.lineage ?? id;
      return 1 + ((await ports.evaluations.get(lineage))?.points ?? 0);
    },
    relations: (id, caller = curator) => relationsOf(instance)(caller, id),
    judgeCalls: (() => {
      let seen = 0;
      return () => {
        const before = seen;
        seen = model.calls('judge-relations');
        return seen - before;
      };
    })(),
    sweep: () => sweep(instance)(),
  };
  return base;
}

const summary: NonNullable<Script['domainSummary']> = ({ items }) =>
  JSON.stringify({ description: `${items.length} items`, when_to_retrieve: 'when asked.' });
