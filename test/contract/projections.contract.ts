import { describe, expect, test } from 'vitest';
import { type ProjectionRow, SWEEP_LEASE } from '#lib/core/rows.ts';
import type { Projections } from '#lib/ports.ts';
import { together } from '#test/support/contract.ts';
import { UNICODE, uniqueHex, uniqueId } from '#test/support/rows.ts';

const NOW = 1_767_225_600_500;
const LEASE = 120_000;
const AHEAD = 120_000;
const NAMES = ['records', 'mirror', 'index'];

/**
 * Every promise of the port (protocol, "Project", "Clocks"). `make` opens a store in which the rows of `records`,
 * `mirror` and the index projection exist, at whatever W; nobody else works on them.
 */
export function projectionsContract(name: string, make: () => Promise<Projections>): void {
  const takeAt = (projections: Projections, projection: string, token: string, at: number, now = at) =>
    projections.takeLease(projection, { token, at }, now - LEASE, now + AHEAD);
  const row = async (projections: Projections, projection: string) => {
    const { lease, ...rest } = (await projections.get(projection))!;
    return { ...rest, lease };
  };
  /** The row without a lease, whoever held one. */
  const open = async (projection = 'records') => {
    const projections = await make();
    const token = uniqueHex(16);
    const { MAX_SAFE_INTEGER } = Number;
    await projections.takeLease(projection, { token, at: NOW }, MAX_SAFE_INTEGER, MAX_SAFE_INTEGER);
    await projections.releaseLease(projection, token);
    return { projections, free: await row(projections, projection) };
  };
  /** The row under the lease of `mine`. */
  const leased = async (projection = 'records') => {
    const { projections } = await open(projection);
    const mine = uniqueHex(16);
    return { projections, mine, seen: (await takeAt(projections, projection, mine, NOW))! };
  };

  describe(name, () => {
    test('R6.9 the rows are there, and one that is not is not', async () => {
      const projections = await make();
      for (const projection of NAMES)
        expect(await projections.get(projection)).toMatchObject({ name: projection });
      expect(await projections.get(`absent-${uniqueHex()}`)).toBeUndefined();
      expect(await projections.get('__proto__')).toBeUndefined();
    });

    test('R6.9 several rows come at once, without those that are not there', async () => {
      const projections = await make();
      const rows = await projections.getMany([...NAMES, `absent-${uniqueHex()}`]);
      expect(rows.sort((a, b) => NAMES.indexOf(a.name) - NAMES.indexOf(b.name))).toEqual(
        await Promise.all(NAMES.map((projection) => projections.get(projection))),
      );
    });

    test('R4.8 there is a row for the lease of the sweep', async () => {
      const projections = await make();
      expect(await projections.get(SWEEP_LEASE)).toMatchObject({ name: SWEEP_LEASE });
    });

    test('R6.9 the pointer names the row of the current index projection', async () => {
      const projections = await make();
      const pointer = await projections.pointer();
      expect(await projections.get(pointer)).toMatchObject({ name: pointer });
      expect(['records', 'mirror']).not.toContain(pointer);
    });

    describe('the lease', () => {
      test('R4.8 is taken if none is held, and brings the row with it', async () => {
        const { projections, free } = await open();
        const lease = { token: 'a', at: NOW };
        expect(await takeAt(projections, 'records', 'a', NOW)).toEqual({ ...free, lease });
        expect(await projections.get('records')).toEqual({ ...free, lease });
      });

      test('R4.8 is refused while another holds it', async () => {
        const { projections, free } = await open();
        await takeAt(projections, 'records', 'a', NOW);
        expect(await takeAt(projections, 'records', 'b', NOW + 1)).toBeUndefined();
        expect(await projections.get('records')).toEqual({ ...free, lease: { token: 'a', at: NOW } });
      });

      test('R4.8 of one projection is not that of another', async () => {
        const { projections } = await open();
        await open('mirror');
        await takeAt(projections, 'records', 'a', NOW);
        expect((await takeAt(projections, 'mirror', 'b', NOW))?.lease?.token).toBe('b');
      });

      test('R4.8 is granted again to its own token, whose answer was lost', async () => {
        const { projections } = await open();
        await takeAt(projections, 'records', 'a', NOW);
        expect((await takeAt(projections, 'records', 'a', NOW))?.lease).toEqual({ token: 'a', at: NOW });
      });

      test('R4.8 is taken over when it is older than allowed, and not before', async () => {
        const { projections } = await open();
        await takeAt(projections, 'records', 'a', NOW);
        expect(await takeAt(projections, 'records', 'b', NOW + LEASE)).toBeUndefined();
        const taken = await takeAt(projections, 'records', 'b', NOW + LEASE + 1);
        expect(taken?.lease).toEqual({ token: 'b', at: NOW + LEASE + 1 });
      });

      test('R4.8 is taken over when a clock that has stepped back since wrote it too far ahead', async () => {
        const { projections } = await open();
        await takeAt(projections, 'records', 'a', NOW + AHEAD);
        expect(await takeAt(projections, 'records', 'b', NOW)).toBeUndefined();
        expect((await takeAt(projections, 'records', 'b', NOW - 1))?.lease?.token).toBe('b');
      });

      test('R4.8 is taken by exactly one of many at once', async () => {
        const { projections } = await open();
        const won = await together(8, (n) => takeAt(projections, 'records', `t${n}`, NOW));
        const winners = won.flatMap((taken, n) => (taken ? [`t${n}`] : []));
        expect(winners).toHaveLength(1);
        expect((await projections.get('records'))?.lease?.token).toBe(winners[0]);
      });

      test('R4.8 that has expired is taken over by exactly one of many at once', async () => {
        const { projections } = await open();
        await takeAt(projections, 'records', 'a', NOW);
        const won = await together(8, (n) => takeAt(projections, 'records', `t${n}`, NOW + LEASE + 1));
        expect(won.filter((taken) => taken !== undefined)).toHaveLength(1);
      });

      test('R4.8 is released by its own token only', async () => {
        const { projections, free } = await open();
        await takeAt(projections, 'records', 'a', NOW);
        await projections.releaseLease('records', 'b');
        expect(await takeAt(projections, 'records', 'c', NOW)).toBeUndefined();
        for (const _time of [1, 2]) {
          await projections.releaseLease('records', 'a');
          expect(await row(projections, 'records')).toEqual(free);
        }
        expect((await takeAt(projections, 'records', 'c', NOW))?.lease?.token).toBe('c');
      });

      test('R4.8 cannot be had without a row, and makes none', async () => {
        const projections = await make();
        const absent = `absent-${uniqueHex()}`;
        expect(await takeAt(projections, absent, 'a', NOW)).toBeUndefined();
        await projections.releaseLease(absent, 'a');
        expect(await projections.get(absent)).toBeUndefined();
      });
    });

    /** What each conditional write must find as it was read. */
    const changed: [string, (seen: ProjectionRow, mine: string) => [string, ProjectionRow]][] = [
      ['under another token', (seen) => [uniqueHex(16), seen]],
      ['at a lower W', (seen, mine) => [mine, { ...seen, W: seen.W - 1 }]],
      ['at a higher W', (seen, mine) => [mine, { ...seen, W: seen.W + 1 }]],
      ['on another physical index', (seen, mine) => [mine, { ...seen, physical: `other-${uniqueHex()}` }]],
    ];

    describe('advancing', () => {
      test('R6.9 moves W and the parked items, and keeps the lease', async () => {
        const { projections, mine, seen } = await leased();
        const first = { W: seen.W + 3, parked: [uniqueId(), UNICODE] };
        expect(await projections.advance('records', mine, seen, first)).toBe(true);
        expect(await projections.get('records')).toEqual({ ...seen, ...first });
        const second = { W: first.W + 1, parked: [] };
        expect(await projections.advance('records', mine, { ...seen, ...first }, second)).toBe(true);
        expect(await projections.get('records')).toEqual({ ...seen, ...second });
      });

      test('R6.9 gives the lease back in the same write when asked to', async () => {
        const { projections, mine, seen } = await leased();
        const next = { W: seen.W + 1, parked: [uniqueId()] };
        expect(await projections.advance('records', mine, seen, { ...next, release: true })).toBe(true);
        expect(await row(projections, 'records')).toEqual({ ...seen, ...next, lease: undefined });
        expect(await projections.advance('records', mine, { ...seen, ...next }, next)).toBe(false);
        expect((await takeAt(projections, 'records', 'b', NOW))?.lease?.token).toBe('b');
      });

      test.each(changed)('R6.9 is refused %s, and changes nothing', async (_, change) => {
        const { projections, mine, seen } = await leased();
        const [token, read] = change(seen, mine);
        expect(await projections.advance('records', token, read, { W: seen.W + 9, parked: [] })).toBe(false);
        expect(await projections.get('records')).toEqual(seen);
      });

      test('R6.9 is refused without a lease, and after another took it over', async () => {
        const { projections, mine, seen } = await leased();
        const next = { W: seen.W + 1, parked: [] };
        const taken = await takeAt(projections, 'records', 'b', NOW + LEASE + 1);
        expect(await projections.advance('records', mine, seen, next)).toBe(false);
        await projections.releaseLease('records', 'b');
        expect(await projections.advance('records', 'b', taken!, next)).toBe(false);
        expect((await projections.get('records'))?.W).toBe(seen.W);
      });

      test('R6.9 is refused without a row, and makes none', async () => {
        const { projections, mine, seen } = await leased();
        const absent = `absent-${uniqueHex()}`;
        const read = { ...seen, name: absent };
        expect(await projections.advance(absent, mine, read, { W: seen.W + 1, parked: [] })).toBe(false);
        expect(await projections.rebase(absent, mine, read, 'knowledge-x')).toBe(false);
        expect(await projections.get(absent)).toBeUndefined();
      });

      test('R6.9 happens once for many at once that read the same W', async () => {
        const { projections, mine, seen } = await leased();
        const moved = await together(8, (n) =>
          projections.advance('records', mine, seen, { W: seen.W + 1 + n, parked: [] }),
        );
        expect(moved.filter(Boolean)).toHaveLength(1);
        expect((await projections.get('records'))?.W).toBe(seen.W + 1 + moved.indexOf(true));
      });
    });

    describe('a new physical index', () => {
      test('R6.9 is named in one write that sets W to 0; what the old one refused is parked no more', async () => {
        const { projections, mine, seen } = await leased('index');
        const ahead = { W: seen.W + 5, parked: [uniqueId()] };
        await projections.advance('index', mine, seen, ahead);
        const physical = `knowledge-${uniqueHex()}`;
        expect(await projections.rebase('index', mine, { ...seen, ...ahead }, physical)).toBe(true);
        const rebased = { ...seen, W: 0, parked: [], physical };
        expect(await projections.get('index')).toEqual(rebased);
        expect(await projections.advance('index', mine, { ...seen, W: 0 }, { W: 1, parked: [] })).toBe(false);
        expect(await projections.advance('index', mine, rebased, { W: 1, parked: [] })).toBe(true);
        expect(await projections.get('index')).toEqual({ ...rebased, W: 1 });
      });

      test.each(changed)('R6.9 is refused %s, and changes nothing', async (_, change) => {
        const { projections, mine, seen } = await leased('index');
        const [token, read] = change(seen, mine);
        expect(await projections.rebase('index', token, read, `knowledge-${uniqueHex()}`)).toBe(false);
        expect(await projections.get('index')).toEqual(seen);
      });

      test('R6.9 is named by exactly one of many at once', async () => {
        const { projections, mine, seen } = await leased('index');
        const names = Array.from({ length: 8 }, () => `knowledge-${uniqueHex()}`);
        const won = await together(8, (n) => projections.rebase('index', mine, seen, names[n]!));
        expect(won.filter(Boolean)).toHaveLength(1);
        expect((await projections.get('index'))?.physical).toBe(names[won.indexOf(true)]);
      });
    });
  });
}
