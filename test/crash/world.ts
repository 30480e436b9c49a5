import type { Call } from '#lib/adapters/memory/gate.ts';
import { createMemoryPorts, type MemoryPorts } from '#lib/adapters/memory/memory.ts';
import { IndexUnavailable, KnowHubError, ModelUnavailable } from '#lib/core/errors.ts';
import type { ItemRow } from '#lib/core/item.ts';
import type { Settings } from '#lib/core/settings.ts';
import type { Clock, Ports } from '#lib/ports.ts';
import { contentOf } from '#lib/usecases/embed-item.ts';
import { createInstance, type Instance } from '#lib/usecases/instance.ts';
import type { JudgeInput } from '#prompts/judge-relations.ts';
import { seeded } from '#test/crash/random.ts';
import { relate } from '#test/crash/relate.ts';
import { createScheduler, type Process, type Scheduler } from '#test/crash/scheduler.ts';
import { pairwiseJudge, type ScriptedModel, scriptedModel } from '#test/support/scripted-model.ts';

export interface FakeClock extends Clock {
  advance(ms: number): void;
}

/** One run: the stores that outlive every process, the model, and what clients were promised. */
export interface World {
  seed: number;
  ports: MemoryPorts;
  clock: FakeClock;
  model: ScriptedModel;
  scheduler: Scheduler;
  settings: Partial<Settings>;
  promised: Promises;
  /** Judge calls: for which item, over which candidates. */
  judged: { newcomer: string; offered: string[] }[];
  /** What was ever stored of an item, erased or not. */
  stored: Map<string, { task: string; words: string; scopes: string[]; path: string | undefined }>;
  random: () => number;
  /** The model answers nothing while this holds. */
  model_down: { value: boolean };
  /** The search index cannot be reached while this holds. */
  index_down: { value: boolean };
  /** Workers are calls of one running function, instead of one function each. */
  shared: boolean;
  /** The running function that the workers share. */
  worker?: { process: Process; instance: Instance } | undefined;
}

/** What clients may hold the system to. */
export interface Promises {
  /** Ids of items that were accepted (202). */
  accepted: Set<string>;
  /** Ids that somebody asked to remove, whether the answer came or not. */
  removal_asked: Set<string>;
  /** Ids and paths whose removal was acknowledged. */
  removed: Set<string>;
  /** Ids that a human rejected, restored or imported: "unless a human said otherwise". */
  human: Set<string>;
}

const START = Date.UTC(2026, 2, 17, 14, 30, 22);
const DIMENSIONS = 24;
const SNAPSHOT_EVERY = 3;

/** Tasks are equal or have nothing to do with each other: one axis a task. */
function oneAxisATask(): (text: string) => number[] {
  const axes = new Map<string, number>();
  return (text) => {
    const task = text.split('\n')[0]!.trim();
    if (!axes.has(task)) axes.set(task, axes.size % DIMENSIONS);
    const vector = new Array<number>(DIMENSIONS).fill(0);
    vector[axes.get(task)!] = 1;
    return vector;
  };
}

export interface WorldOptions {
  order?: 'oldest' | 'random';
  settings?: Partial<Settings>;
  shared?: boolean;
}

export function createWorld(seed: number, options: WorldOptions = {}): World {
  const random = seeded(seed);
  let now = START;
  const clock: FakeClock = {
    now: () => now,
    sleep: async () => undefined,
    advance: (ms) => {
      now += ms;
    },
  };
  const hex = (digits: number) =>
    Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join('');
  const judged: World['judged'] = [];
  const model_down = { value: false };
  const index_down = { value: false };
  const away = () => (model_down.value ? new ModelUnavailable('the model is down') : undefined);
  const judge = pairwiseJudge(relate);
  const axis = oneAxisATask();
  const model = scriptedModel(
    {
      judge: (input: JudgeInput) => {
        if (model_down.value) return new ModelUnavailable('the model is down');
        return judge(input);
      },
      frontmatter: ({ authored }) =>
        away() ??
        JSON.stringify({
          title: 'untitled',
          summary: 'written by the model',
          keywords: ['written'],
          covers: ['written'],
          when_to_retrieve: 'when written',
          ...authored,
        }),
      domainSummary: ({ items }) =>
        away() ??
        JSON.stringify({
          description: items
            .map(({ title }) => title)
            .join(' ')
            .slice(0, 200),
          when_to_retrieve: 'Search once.',
        }),
      embed: (text) => away() ?? axis(text),
    },
    DIMENSIONS,
  );
  const ports = createMemoryPorts({ clock, random: { hex, fraction: random }, model });
  const pick = options.order === 'random' ? (n: number) => Math.floor(random() * n) : () => 0;
  const stored: World['stored'] = new Map();
  const bodies = new Map<string, string>();
  const observe = (process: Process, { port, method, args }: Call) => {
    if (port === 'bodies' && method === 'put') bodies.set(args[0] as string, args[2] as string);
    if (port === 'items' && method === 'insert') {
      const { id, task, scopes, kind, path } = args[0] as ItemRow;
      stored.set(id, { task, scopes, path, words: contentOf({ kind }, bodies.get(id) ?? '') });
    }
    if (port === 'model' && method === 'complete') {
      const { prompt, input } = args[0] as { prompt: string; input: JudgeInput };
      if (prompt.startsWith('judge-relations') && !model_down.value)
        judged.push({ newcomer: process.name, offered: input.candidates.map(({ id }) => id) });
    }
    if (port === 'index' && index_down.value) return new IndexUnavailable('the index cannot be reached');
    return undefined;
  };
  const scheduler = createScheduler(ports, {
    pick,
    observe,
    expected: (error) => error instanceof KnowHubError,
  });
  const promised: Promises = {
    accepted: new Set(),
    removal_asked: new Set(),
    removed: new Set(),
    human: new Set(),
  };
  return {
    seed,
    ports,
    clock,
    model,
    scheduler,
    // Processes start from a snapshot as soon as a sweep has written one.
    settings: { snapshot_every: SNAPSHOT_EVERY, ...options.settings },
    promised,
    judged,
    stored,
    random,
    model_down,
    index_down,
    shared: options.shared ?? false,
  };
}

/** A function that has just started: an empty catalog over the process's gated ports. */
export const instanceIn = (world: World, process: Process): Instance =>
  createInstance(process.ports, world.settings);

/** An instance that no fault reaches, to look at the end. */
export const onlooker = (world: World): Instance => createInstance(world.ports as Ports, world.settings);
