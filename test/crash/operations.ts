import type { Caller } from '#lib/core/caller.ts';
import type { Message } from '#lib/core/rows.ts';
import { addEntry } from '#lib/usecases/add-entry.ts';
import { admit } from '#lib/usecases/admit.ts';
import { importEntry } from '#lib/usecases/import-entry.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import { recomputeDomain } from '#lib/usecases/recompute-domain.ts';
import { removeDocument, removeItem } from '#lib/usecases/remove.ts';
import { review } from '#lib/usecases/review.ts';
import { type SweepReport, sweep } from '#lib/usecases/sweep.ts';
import { uploadDocument } from '#lib/usecases/upload-document.ts';
import type { Process } from '#test/crash/scheduler.ts';
import { instanceIn, type World } from '#test/crash/world.ts';

/** What a client, or a human, asks for. `nth` counts the items accepted so far, oldest first. */
export type Operation =
  | { do: 'entry'; task: string; words: string; scopes?: string[] }
  | { do: 'upload'; path: string; task: string; words: string; scopes?: string[]; bare?: boolean }
  | { do: 'import'; id: string; task: string; words: string }
  | { do: 'remove path'; path: string }
  | { do: 'remove item'; nth: number }
  | { do: 'review'; nth: number; action: 'check' | 'reject' | 'restore' }
  | { do: 'sweep' }
  | { do: 'wipe index' };

const client: Caller = { principal: 'client', scopes: ['org:a', 'org:b'] };

/** A document whose author wrote every field, so that no model has to. */
const fileOf = (task: string, words: string, bare: boolean): string =>
  bare
    ? `---\ntitle: ${task}\n---\n${words}\n`
    : `---\ntitle: ${task}\nsummary: about ${task}\nkeywords: [${task}]\ncovers: [${task}]\nwhen_to_retrieve: for ${task}\n---\n${words}\n`;

/** Starts the operation in a process of its own. */
export function begin(world: World, operation: Operation): void {
  const { scheduler, promised } = world;
  const process = scheduler.spawn(operation.do);
  const instance = instanceIn(world, process);
  const nth = (n: number): string | undefined => [...promised.accepted][n];
  switch (operation.do) {
    case 'entry': {
      const { task, words, scopes = [] } = operation;
      scheduler.start(
        process,
        () => addEntry(instance)(client, { task, content: words, scopes }),
        ({ knowledge_id }) => void promised.accepted.add(knowledge_id),
      );
      break;
    }
    case 'upload': {
      const { path, task, words, scopes = [], bare = false } = operation;
      const [category, filename] = path.split('/') as [string, string];
      const content = fileOf(task, words, bare);
      scheduler.start(
        process,
        () => uploadDocument(instance)(client, { category, filename, content, scopes }),
        ({ id }) => void promised.accepted.add(id),
      );
      break;
    }
    case 'import': {
      const { id, task, words } = operation;
      promised.human.add(id);
      scheduler.start(
        process,
        () => importEntry(instance)(client, id, { task, content: words }),
        () => void promised.accepted.add(id),
      );
      break;
    }
    case 'remove path': {
      promised.removal_asked.add(operation.path);
      scheduler.start(
        process,
        () => removeDocument(instance)(client, operation.path),
        ({ id }) => void promised.removed.add(id),
      );
      break;
    }
    case 'remove item': {
      const id = nth(operation.nth);
      if (id === undefined) return;
      promised.removal_asked.add(id);
      scheduler.start(
        process,
        () => removeItem(instance)(client, id),
        () => void promised.removed.add(id),
      );
      break;
    }
    case 'review': {
      const id = nth(operation.nth);
      if (id === undefined) return;
      promised.human.add(id);
      const input =
        operation.action === 'reject' ? { action: 'reject', reason: 'wrong' } : { action: operation.action };
      scheduler.start(process, () => review(instance)(client, id, input));
      break;
    }
    case 'sweep':
      scheduler.start(process, () => sweep(instance)());
      break;
    case 'wipe index':
      scheduler.start(process, async (ports) => {
        for (const physical of await ports.index.list()) await ports.index.drop(physical);
      });
  }
}

/** Hands one message to a fresh worker, or to the running function that all workers share. */
export function deliver(world: World, message: Message): void {
  // A worker goes by the id of its item: so the judge's calls are told apart.
  const { process, instance } = workerFor(world, message.type === 'admit' ? message.item_id : 'recompute');
  if (message.type === 'admit') world.scheduler.start(process, () => admit(instance)(message.item_id));
  else world.scheduler.start(process, () => recomputeDomain(instance)(message.domain_id));
}

function workerFor(world: World, name: string): { process: Process; instance: Instance } {
  const { shared, worker } = world;
  if (shared && worker && !worker.process.dead && !worker.process.frozen) return worker;
  const process = world.scheduler.spawn(shared ? 'shared worker' : name);
  const fresh = { process, instance: instanceIn(world, process) };
  if (shared) world.worker = fresh;
  return fresh;
}

/** Starts a sweep; its report goes to `then`. */
export function beginSweep(world: World, then: (report: SweepReport) => void): void {
  const process = world.scheduler.spawn('sweep');
  world.scheduler.start(process, () => sweep(instanceIn(world, process))(), then);
}
