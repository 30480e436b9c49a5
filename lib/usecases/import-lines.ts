import * as z from 'zod';
import type { Caller } from '#lib/core/caller.ts';
import { InvalidInput, KnowHubError } from '#lib/core/errors.ts';
import { ItemId } from '#lib/core/item.ts';
import { parseJson } from '#lib/core/json-input.ts';
import { isBlank, itemId } from '#lib/core/names.ts';
import { sha256 } from '#lib/core/normalise.ts';
import { parseInput } from '#lib/core/parse-input.ts';
import { EntryInput } from '#lib/usecases/add-entry.ts';
import { importEntry } from '#lib/usecases/import-entry.ts';
import type { Instance } from '#lib/usecases/instance.ts';

/** What the API shows of an item and an import does not take over: what it says is made anew here (R3.1). */
const Ignored = {
  status: z.unknown().optional(),
  relationships: z.unknown().optional(),
  eval: z.unknown().optional(),
  tag_keys: z.unknown().optional(),
  metadata: z.unknown().optional(),
  updated_at: z.unknown().optional(),
  truncated: z.unknown().optional(),
  embedding: z.unknown().optional(),
};

/** One line: an entry as the API shows it, or as `POST /api/knowledge` takes it, with the id that it had. */
export const ImportLine = z.strictObject({
  ...EntryInput.shape,
  id: ItemId.optional(),
  kind: z.literal('entry').optional(),
  /** Epoch seconds. */
  created_at: z.number().int().min(0).max(4_102_444_800).optional(),
  ...Ignored,
});

export const ImportResult = z.strictObject({
  /** From 1 on. */
  line: z.number().int(),
  id: z.string().optional(),
  /** `false`: the ledger knows the id already. */
  imported: z.boolean().optional(),
  /** Fields of the line that were not taken over. */
  ignored: z.array(z.string()).optional(),
  error: z.strictObject({ code: z.string(), message: z.string(), field: z.string().optional() }).optional(),
});
export type ImportResult = z.infer<typeof ImportResult>;

export const ImportReport = z.strictObject({
  imported: z.number().int(),
  known: z.number().int(),
  failed: z.number().int(),
  lines: z.array(ImportResult),
});
export type ImportReport = z.infer<typeof ImportReport>;

/** Each line costs embeddings and a place in the ledger, and a call has 30 seconds. */
export const IMPORT_LINES = 100;

/**
 * Brings existing entries in, one a line, as JSON (R3.1, R2.6): a line that fails is named, the others go on. Safe to
 * run twice. Throws `InvalidInput` where there are no lines, or too many.
 */
export const importLines =
  (instance: Instance) =>
  async (caller: Caller, text: string): Promise<ImportReport> => {
    const lines = text
      .split('\n')
      .map((line, at) => ({ line: at + 1, text: line }))
      .filter((each) => !isBlank(each.text));
    if (lines.length === 0) throw new InvalidInput('body', 'body: there is no line in it');
    if (lines.length > IMPORT_LINES)
      throw new InvalidInput('body', `body: ${lines.length} lines; at most ${IMPORT_LINES} a call`);
    const results: ImportResult[] = [];
    for (const { line, text } of lines) {
      const result = await importLine(instance, caller, text).catch((error: unknown) => {
        if (!(error instanceof KnowHubError)) throw error;
        const { code, message, field } = error;
        return { error: { code, message, ...(field !== undefined && { field }) } };
      });
      results.push({ line, ...result });
    }
    return {
      imported: results.filter(({ imported }) => imported === true).length,
      known: results.filter(({ imported }) => imported === false).length,
      failed: results.filter(({ error }) => error !== undefined).length,
      lines: results,
    };
  };

async function importLine(
  instance: Instance,
  caller: Caller,
  text: string,
): Promise<Omit<ImportResult, 'line'>> {
  const { id: given, kind: _, created_at, ...rest } = parseInput(ImportLine, parseJson(text, 'line'));
  const [taken, ignored] = [Object.entries(rest), Object.keys(rest).filter(isIgnored)];
  const entry = Object.fromEntries(taken.filter(([name]) => !isIgnored(name)));
  const id = given ?? idOf(entry, created_at ?? 0);
  const outcome = await importEntry(instance)(caller, id, entry);
  return { ...outcome, ...(ignored.length > 0 && { ignored }) };
}

const isIgnored = (name: string): boolean => Object.hasOwn(Ignored, name);

const SECONDS_A_DAY = 86_400;

/** The same line has the same id, so that it is brought in once. Where it has no time, that is made from it too. */
function idOf(entry: object, created_at: number): string {
  const hash = sha256(JSON.stringify(Object.entries(entry).sort(([a], [b]) => (a < b ? -1 : 1))));
  const seconds = created_at || Number.parseInt(hash.slice(8, 16), 16) % SECONDS_A_DAY;
  return itemId(seconds, hash.slice(0, 8));
}
