import type { Kind } from '#lib/core/item.ts';
import { sha256 } from '#lib/core/normalise.ts';
import type {
  Evaluation,
  PathRow,
  ProjectionRow,
  RelationRow,
  SectionVector,
  TaskVector,
} from '#lib/core/rows.ts';
import type {
  Bodies,
  Clock,
  Evaluations,
  Mirror,
  Paths,
  Projections,
  Relations,
  Vectors,
} from '#lib/ports.ts';

export function createMemoryBodies(clock: Clock): Bodies {
  const bodies = new Map<string, { kind: Kind; text: string; stored_at: number }>();
  return {
    async put(id, kind, text) {
      if (!bodies.has(id)) bodies.set(id, { kind, text, stored_at: clock.now() });
    },
    async get(id) {
      return bodies.get(id)?.text;
    },
    async getMany(wanted) {
      return new Map(
        wanted.flatMap(({ id }) => (bodies.has(id) ? [[id, bodies.get(id)!.text] as const] : [])),
      );
    },
    async erase(id) {
      bodies.delete(id);
    },
    async list(after, before, limit) {
      return [...bodies]
        .filter(([id, body]) => id > after && body.stored_at < before)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .slice(0, limit)
        .map(([id, { kind }]) => ({ id, kind }));
    },
  };
}

export function createMemoryVectors(): Vectors {
  const tasks = new Map<string, TaskVector>();
  const sections = new Map<string, Map<string, SectionVector[]>>();
  return {
    async saveTask(vector) {
      tasks.set(vector.id, vector);
    },
    async tasks(ids) {
      return ids.map((id) => tasks.get(id)).filter((vector) => vector !== undefined);
    },
    async saveSections(id, model, vectors) {
      sections.set(id, (sections.get(id) ?? new Map()).set(model, vectors));
    },
    async sections(id, model) {
      return sections.get(id)?.get(model);
    },
    async erase(id) {
      tasks.delete(id);
      sections.delete(id);
    },
  };
}

export function createMemoryPaths(): Paths {
  const rows = new Map<string, PathRow>();
  return {
    async get(path) {
      return rows.get(path);
    },
    async advance(seen, row) {
      if ((rows.get(row.path)?.seq ?? 0) !== seen) return false;
      rows.set(row.path, Object.freeze({ ...row }));
      return true;
    },
    async forget(path, id) {
      const row = rows.get(path);
      if (row?.latest_id !== id) return false;
      rows.set(path, Object.freeze({ ...row, latest_id: undefined, body_hash: undefined }));
      return true;
    },
  };
}

export const INDEX_PROJECTION = 'index';

export function createMemoryProjections(): Projections {
  const rows = new Map<string, ProjectionRow>(
    ['records', 'mirror', INDEX_PROJECTION].map((name) => [name, { name, physical: '', W: 0, parked: [] }]),
  );
  const write = (name: string, token: string, seen: ProjectionRow, next: Partial<ProjectionRow>) => {
    const row = rows.get(name);
    if (!row || row.lease?.token !== token || row.W !== seen.W || row.physical !== seen.physical)
      return false;
    rows.set(name, { ...row, ...next });
    return true;
  };
  return {
    async pointer() {
      return INDEX_PROJECTION;
    },
    async get(name) {
      return rows.get(name);
    },
    async takeLease(name, lease, expired_before, not_after) {
      const row = rows.get(name);
      const held = row?.lease && row.lease.at >= expired_before && row.lease.at <= not_after;
      if (!row || (held && row.lease?.token !== lease.token)) return undefined;
      rows.set(name, { ...row, lease });
      return rows.get(name);
    },
    async releaseLease(name, token) {
      const row = rows.get(name);
      if (row?.lease?.token === token) rows.set(name, { ...row, lease: undefined });
    },
    async advance(name, token, seen, next) {
      return write(name, token, seen, next);
    },
    async rebase(name, token, seen, physical) {
      return write(name, token, seen, { W: 0, physical, parked: [] });
    },
  };
}

export function createMemoryRelations(): Relations {
  const rows = new Map<string, RelationRow>();
  const select = (matches: (row: RelationRow) => boolean) =>
    [...rows.values()].filter((row) => !row.erased && matches(row));
  return {
    async put(row) {
      const key = JSON.stringify([row.from, row.type, row.to]);
      if ((rows.get(key)?.pos ?? 0) < row.pos) rows.set(key, Object.freeze({ ...row }));
    },
    async of(id) {
      return select(({ from, to }) => from === id || to === id);
    },
    async byType(type) {
      return select((row) => row.type === type || row.reverse === type);
    },
    async types() {
      const types = select(() => true).flatMap(({ type, reverse }) => [type, reverse]);
      return [...new Set(types)].filter((type) => type !== 'none').sort();
    },
  };
}

export function createMemoryEvaluations(): Evaluations {
  const rows = new Map<string, Evaluation>();
  return {
    async credit(lineage, position, point) {
      const row = rows.get(lineage) ?? { lineage, points: 0, pos: 0, history: [] };
      if (row.pos >= position) return;
      rows.set(
        lineage,
        Object.freeze({
          lineage,
          points: row.points + 1,
          pos: position,
          history: [...row.history, point],
        }),
      );
    },
    async get(lineage) {
      return rows.get(lineage);
    },
    async eraseHistory(related, lineages) {
      for (const lineage of lineages) {
        const row = rows.get(lineage);
        if (row)
          rows.set(
            lineage,
            Object.freeze({
              ...row,
              history: row.history.filter(({ related_id }) => related_id !== related),
            }),
          );
      }
    },
  };
}

export function createMemoryMirror(): Mirror {
  const objects = new Map<string, { item_id: string; text: string; etag: string }>();
  return {
    async head(path) {
      const object = objects.get(path);
      return object && { etag: object.etag, item_id: object.item_id };
    },
    async read(path) {
      return objects.get(path)?.text;
    },
    async put(path, item_id, text, etag) {
      if (objects.get(path)?.etag !== etag) return false;
      // As on S3, the ETag is a hash of the bytes alone: A → B → A ends with A's.
      objects.set(path, { item_id, text, etag: sha256(text) });
      return true;
    },
    async remove(path, etag) {
      return objects.get(path)?.etag === etag ? objects.delete(path) : false;
    },
    async list(after, limit) {
      return [...objects.keys()]
        .filter((path) => path > after)
        .sort()
        .slice(0, limit);
    },
  };
}
