import { createMemoryPorts } from '#lib/adapters/memory/memory.ts';
import type { Draft } from '#lib/core/entry.ts';
import { PIPELINE } from '#lib/core/entry.ts';
import type { ItemRow, Kind } from '#lib/core/item.ts';
import { createInstance } from '#lib/usecases/instance.ts';
import { type RecomputeOutcome, recomputeDomain } from '#lib/usecases/recompute-domain.ts';
import type { DomainSummaryInput } from '#prompts/domain-summary.ts';
import { scriptedModel } from '#test/support/scripted-model.ts';

export const START = 1_767_225_600_000;
export const DELAY = 15_000;
export const LEASE = 120_000;

/** A live item to be; what is left out is empty, or `payment` and a document. */
export interface Seed {
  title: string;
  domain?: string;
  summary?: string;
  when_to_retrieve?: string;
  covers?: string[];
  scopes?: string[];
  kind?: Kind;
}

/** What the model says of a domain unless told otherwise: how many items it saw, or how many parts. */
export const counting = (input: DomainSummaryInput): string =>
  JSON.stringify({
    description: input.parts ? `${input.parts.length} parts` : `${input.items.length} items`,
    when_to_retrieve: 'asked about it.',
  });

/** The ports that the domains use, over a ledger that the test writes, with a clock that stands. */
export function domainWorld() {
  let now = START;
  let tokens = 0;
  let admitted = 0;
  let position = 0;
  const clock = { now: () => now, sleep: async () => {} };
  const model = scriptedModel({ domainSummary: counting });
  const random = {
    hex: (digits: number) => String((tokens += 1)).padStart(digits, '0'),
    fraction: () => 0.5,
  };
  const ports = createMemoryPorts({ clock, random, model });
  const instance = createInstance(ports, { recompute_delay_ms: DELAY, lease_ms: LEASE });

  const put = async (draft: Pick<Draft, 'event' | 'item_id'> & Partial<Draft>, domain: string) => {
    position += 1;
    const rest = {
      at: now / 1000,
      by: PIPELINE,
      attempt: 1,
      decision_id: `d${position}`,
      fingerprint: draft.item_id,
    };
    await ports.ledger.put({ ...rest, scopes: [], ...draft, position });
    await ports.domains.markDirty(domain, position, now);
  };

  /** As the records projection leaves it: in the ledger, with its row, its domain dirty. Returns the id. */
  const admit = async (seed: Seed): Promise<string> => {
    const row = rowOf(seed, (admitted += 1));
    const { title, keywords, covers } = row.fields;
    await ports.items.insert(row);
    await put(
      {
        event: 'admitted',
        item_id: row.id,
        scopes: row.scopes,
        live: { kind: row.kind, domain: row.domain, title, keywords, keywords_by_author: false, covers },
      },
      row.domain,
    );
    return row.id;
  };

  return {
    ports,
    instance,
    model,
    admit,
    async admitMany(count: number, seed: Partial<Seed> = {}) {
      const ids: string[] = [];
      for (let n = 0; n < count; n += 1) ids.push(await admit({ title: `runbook ${n}`, ...seed }));
      return ids;
    },
    remove: (id: string, domain = 'payment') =>
      put({ event: 'removed', item_id: id, by: 'a human', attempt: 2 }, domain),
    pass(ms: number) {
      now += ms;
    },
    /** Waits until the domain may be recomputed, and does it. */
    recompute(domain = 'payment'): Promise<RecomputeOutcome> {
      now += DELAY;
      return recomputeDomain(instance)(domain);
    },
    text: async (domain = 'payment') => {
      const row = await ports.domains.get(domain);
      return (
        row && { description: row.description, when_to_retrieve: row.when_to_retrieve, model: row.model }
      );
    },
    /** Model calls since this was asked last. */
    calls: (() => {
      let seen = 0;
      return () => {
        const before = seen;
        seen = model.completions.length;
        return seen - before;
      };
    })(),
  };
}

const rowOf = (seed: Seed, n: number): ItemRow => ({
  id: `knowledge-20260101-000000-${n.toString(16).padStart(8, '0')}`,
  kind: seed.kind ?? 'document',
  domain: seed.domain ?? 'payment',
  task: seed.title,
  message_id: '',
  types: [],
  tags: {},
  tag_keys: [],
  scopes: seed.scopes ?? [],
  owner: 'agent:runner',
  resource_ids: [],
  source: {},
  metadata: '',
  fields: {
    title: seed.kind === 'entry' ? '' : seed.title,
    summary: seed.summary ?? '',
    keywords: [],
    covers: seed.covers ?? [],
    when_to_retrieve: seed.when_to_retrieve ?? '',
    generated: [],
    missing: [],
  },
  excerpt: '',
  body_hash: '',
  fingerprint: '',
  created_at: START / 1000,
  updated_at: START / 1000,
  status: 'approved',
  attempt: 1,
  pos: n,
});
