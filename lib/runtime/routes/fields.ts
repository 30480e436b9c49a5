import * as z from 'zod';
import { ItemId, RelationType } from '#lib/core/item.ts';
import { fromUrl } from '#lib/core/names.ts';

/** A whole number in a query. */
const whole = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'not a whole number')
    .meta({ type: 'integer', minimum: least, maximum: most })
    .transform(Number)
    .refine((n) => n >= least && n <= most, `not between ${least} and ${most}`);

/** Items a page, 20 unless stated. */
export const limit = whole(1, 100).default(20);

export const offset = whole(0, 100_000_000).default(0);

/** `true` or `false` in a query. */
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');

const label = z.string().min(1).max(256);

export const labels = z.array(label).max(20);

export const cursor = z.string().max(200).optional();

export const domain = z.string().min(1).max(128).optional();

export const owner = label.optional();

export const ByItem = z.strictObject({ id: ItemId });

export const ByDomain = z.strictObject({ id: z.string().max(256) });

export const ByPath = z.strictObject({ path: z.string() });

/** The path has been decoded once by the router, and is checked as every other name is (R3.7). */
export const pathOf = (plain: string): string => fromUrl(encodeURIComponent(plain));

export const ByRole = z.strictObject({ role: z.enum(['planner', 'executor']) });

export const ByType = z.strictObject({ type: RelationType });

export const Nothing = z.strictObject({});

/** The reply to a removal. */
export const Removed = z.strictObject({ id: z.string(), status: z.literal('removed') });
