import { describe, expect, test } from 'vitest';
import type { DomainRow } from '#lib/core/rows.ts';
import type { Domains } from '#lib/ports.ts';

const NOW = 1_767_225_600_500;
const SECONDS = 1_767_225_600;
const LEASE = 120_000;
const AHEAD = 60_000;

const fresh: DomainRow = {
  domain_id: 'payment',
  description: '',
  when_to_retrieve: '',
  model: '',
  dirty_position: 7,
  computed_position: 0,
  dirty_at: NOW,
  created_at: SECONDS,
  updated_at: SECONDS,
};

const textAt = (computed_position: number) => ({
  description: `of ${computed_position}`,
  when_to_retrieve: `asked about ${computed_position}`,
  model: 'stand-in',
  computed_position,
  updated_at: SECONDS + computed_position,
});

/** What every Domains adapter holds to; `create` gives an empty one. */
export function domainsContract(create: () => Promise<Domains> | Domains): void {
  const dirty = async () => {
    const domains = await create();
    await domains.markDirty('payment', 7, NOW);
    return domains;
  };
  const claimAt = (domains: Domains, token: string, at: number, now = at) =>
    domains.claim('payment', { token, at }, now - LEASE, now + AHEAD);
  /** A row without a claim may hold it as `undefined` or not at all. */
  const row = async (domains: Domains) => ({ claim: undefined, ...(await domains.get('payment')) });

  describe('marking', () => {
    test('R5.1 the first mark creates the row, without a text', async () => {
      const domains = await dirty();
      expect(await row(domains)).toEqual({ ...fresh, claim: undefined });
      expect(await domains.get('api')).toBeUndefined();
    });

    test('R5.1 a mark only raises the position, and a repeat of it changes nothing', async () => {
      const domains = await dirty();
      await domains.markDirty('payment', 7, NOW + 5);
      await domains.markDirty('payment', 3, NOW + 6);
      expect(await row(domains)).toEqual({ ...fresh, claim: undefined });
    });

    test('R5.1 a stream of marks does not move the time since which the domain is dirty', async () => {
      const domains = await dirty();
      await domains.markDirty('payment', 8, NOW + 5);
      expect(await row(domains)).toEqual({ ...fresh, dirty_position: 8, claim: undefined });
    });

    test('R5.1 a mark on a domain that was clean begins a new time', async () => {
      const domains = await dirty();
      await domains.save('payment', 'a', textAt(7));
      await domains.markDirty('payment', 8, NOW + 5);
      expect(await row(domains)).toEqual({
        ...fresh,
        ...textAt(7),
        dirty_position: 8,
        dirty_at: NOW + 5,
        claim: undefined,
      });
    });

    test('R2.3 every domain is listed once', async () => {
      const domains = await dirty();
      await domains.markDirty('支付/接口', 8, NOW);
      await domains.savePart('payment', 0, { key: 'k', text: 't' });
      expect((await domains.list()).map(({ domain_id }) => domain_id).sort()).toEqual([
        'payment',
        '支付/接口',
      ]);
    });
  });

  describe('claiming', () => {
    test('R5.1 one claim is granted at a time, and brings the row', async () => {
      const domains = await dirty();
      expect(await claimAt(domains, 'a', NOW)).toEqual({ ...fresh, claim: { token: 'a', at: NOW } });
      expect(await claimAt(domains, 'b', NOW + 1)).toBeUndefined();
      expect((await domains.get('payment'))?.claim).toEqual({ token: 'a', at: NOW });
    });

    test('R5.1 a claim repeated after a lost answer is granted again', async () => {
      const domains = await dirty();
      await claimAt(domains, 'a', NOW);
      expect((await claimAt(domains, 'a', NOW))?.claim).toEqual({ token: 'a', at: NOW });
    });

    test('R5.1 a domain that nobody marked cannot be claimed', async () => {
      const domains = await create();
      expect(await claimAt(domains, 'a', NOW)).toBeUndefined();
      expect(await domains.list()).toEqual([]);
    });

    test('R5.1 an expired claim is taken over, one that is as old as the lease is not', async () => {
      const domains = await dirty();
      await claimAt(domains, 'a', NOW);
      expect(await claimAt(domains, 'b', NOW + LEASE)).toBeUndefined();
      expect((await claimAt(domains, 'b', NOW + LEASE + 1))?.claim?.token).toBe('b');
    });

    test('R5.1 a claim from a clock more than a minute ahead counts as expired', async () => {
      const domains = await dirty();
      await claimAt(domains, 'a', NOW + AHEAD);
      expect(await claimAt(domains, 'b', NOW)).toBeUndefined();
      expect((await claimAt(domains, 'b', NOW - 1))?.claim?.token).toBe('b');
    });

    test('R5.1 only its own token releases a claim', async () => {
      const domains = await dirty();
      await claimAt(domains, 'a', NOW);
      await domains.release('payment', 'b');
      expect(await claimAt(domains, 'c', NOW)).toBeUndefined();
      await domains.release('payment', 'a');
      expect(await row(domains)).toEqual({ ...fresh, claim: undefined });
      await domains.release('api', 'a');
      expect(await domains.get('api')).toBeUndefined();
    });
  });

  describe('saving', () => {
    test('R5.1 a text is written with its position and ends the claim that wrote it', async () => {
      const domains = await dirty();
      await claimAt(domains, 'a', NOW);
      expect(await domains.save('payment', 'a', textAt(9))).toBe(true);
      expect(await row(domains)).toEqual({ ...fresh, ...textAt(9), claim: undefined });
    });

    test.each([9, 8])('R5.1 a text of position %i never overwrites one of 9', async (position) => {
      const domains = await dirty();
      await domains.save('payment', 'a', textAt(9));
      await claimAt(domains, 'b', NOW);
      expect(await domains.save('payment', 'b', { ...textAt(position), description: 'late' })).toBe(false);
      expect(await row(domains)).toEqual({ ...fresh, ...textAt(9), claim: { token: 'b', at: NOW } });
    });

    test('R5.1 a newer text is written without the claim, and leaves the claim of another', async () => {
      const domains = await dirty();
      await claimAt(domains, 'b', NOW);
      expect(await domains.save('payment', 'a', textAt(9))).toBe(true);
      expect(await row(domains)).toEqual({ ...fresh, ...textAt(9), claim: { token: 'b', at: NOW } });
    });

    test('R5.1 an empty text is stored as such', async () => {
      const domains = await dirty();
      await domains.save('payment', 'a', textAt(7));
      const empty = {
        description: '',
        when_to_retrieve: '',
        model: '',
        computed_position: 8,
        updated_at: SECONDS,
      };
      expect(await domains.save('payment', 'a', empty)).toBe(true);
      expect(await row(domains)).toEqual({ ...fresh, ...empty, claim: undefined });
    });

    test('R5.1 a domain that nobody marked has no text', async () => {
      const domains = await create();
      expect(await domains.save('payment', 'a', textAt(9))).toBe(false);
      expect(await domains.get('payment')).toBeUndefined();
    });

    test('R5.1 what was read does not change afterwards', async () => {
      const domains = await dirty();
      const read = await domains.get('payment');
      await domains.save('payment', 'a', textAt(9));
      expect(read?.computed_position).toBe(0);
    });
  });

  describe('parts', () => {
    test('R5.2 a part is kept by domain and number until it is written again', async () => {
      const domains = await dirty();
      await domains.savePart('payment', 0, { key: 'k0', text: '零' });
      await domains.savePart('payment', 1, { key: 'k1', text: 'one' });
      await domains.savePart('api', 0, { key: 'k2', text: 'other' });
      await domains.savePart('payment', 1, { key: '', text: '' });
      expect(await domains.part('payment', 0)).toEqual({ key: 'k0', text: '零' });
      expect(await domains.part('payment', 1)).toEqual({ key: '', text: '' });
      expect(await domains.part('api', 0)).toEqual({ key: 'k2', text: 'other' });
      expect(await domains.part('payment', 2)).toBeUndefined();
      expect(await row(domains)).toEqual({ ...fresh, claim: undefined });
    });
  });
}
