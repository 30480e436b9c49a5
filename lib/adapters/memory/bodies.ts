import type { Kind } from '#lib/core/item.ts';
import type { Bodies, Clock } from '#lib/ports.ts';

interface Body {
  id: string;
  kind: Kind;
  text: string;
  stored_at: number;
}

/** The Bodies port in memory. As in production, an entry's text and a document's lie in different places. */
export function createMemoryBodies(clock: Pick<Clock, 'now'>): Bodies {
  const bodies = new Map<string, Body>();
  const key = (id: string, kind: Kind) => `${kind}/${id}`;
  return {
    async put(id, kind, text) {
      if (!bodies.has(key(id, kind))) bodies.set(key(id, kind), { id, kind, text, stored_at: clock.now() });
    },
    async get(id, kind) {
      return bodies.get(key(id, kind))?.text;
    },
    async getMany(wanted) {
      const found = wanted
        .map(({ id, kind }) => bodies.get(key(id, kind)))
        .filter((body) => body !== undefined);
      return new Map(found.map(({ id, text }) => [id, text]));
    },
    async erase(id, kind) {
      bodies.delete(key(id, kind));
    },
    async list(after, before, limit) {
      return [...bodies.values()]
        .filter(({ id, stored_at }) => id > after && stored_at < before)
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .slice(0, limit)
        .map(({ id, kind }) => ({ id, kind }));
    },
  };
}
