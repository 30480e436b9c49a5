import * as z from 'zod';
import type { Caller } from '#lib/core/caller.ts';
import { InvalidInput, type KnowHubError, NotFound } from '#lib/core/errors.ts';
import { documentFields, parseFrontmatter } from '#lib/core/frontmatter.ts';
import type { InboxFile, QuarantineReport } from '#lib/core/inbox.ts';
import { LIMITS } from '#lib/core/limits.ts';
import { decodeUtf8, type InboxName } from '#lib/core/names.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import { settled } from '#lib/usecases/retry.ts';
import { type UploadOutcome, uploadDocument } from '#lib/usecases/upload-document.ts';

/** Whose are the files dropped at a path that begins with `prefix` and that say nothing about it themselves (R3.1). */
export const InboxRule = z.strictObject({
  prefix: z.string(),
  scopes: z.array(z.string().min(1).max(128)).max(50).default([]),
  owner: z.string().max(LIMITS.owner).optional(),
});
export type InboxRule = z.infer<typeof InboxRule>;

/** `left`: a newer file was dropped on the key meanwhile; it stays, and its own event takes it in. */
export type InboxOutcome =
  | { kind: 'taken'; key: string; upload: UploadOutcome; left: boolean }
  | { kind: 'quarantined'; report: QuarantineReport; left: boolean }
  | { kind: 'gone' | 'ignored'; key: string };

/** Who dropped a file without a ticket: whoever may write to the bucket. */
const DROPPER = 'inbox';

/**
 * Takes in what lies at a key of the inbox (R3.1), which need not be what the event told of: events come late, twice
 * and out of order. Then the file leaves the inbox, on a permanent fault for quarantine; on a passing one it stays and
 * the error is thrown. Safe to repeat.
 */
export const takeFromInbox =
  (instance: Instance, rules: readonly InboxRule[] = []) =>
  async (name: InboxName, request_id: string): Promise<InboxOutcome> => {
    const { clock, inbox, log } = instance;
    const { key } = name;
    if (name.kind === 'ignored') return { kind: 'ignored', key };
    const file = await settled(clock, () => inbox.read(key, LIMITS.document_bytes_inbox));
    if (file === undefined) return { kind: 'gone', key };
    const leave = async () => !(await settled(clock, () => inbox.remove(key, file.etag)));
    try {
      const upload = await take(instance, rules, name, file);
      return { kind: 'taken', key, upload, left: await leave() };
    } catch (error) {
      if (!isPermanent(error)) throw error;
      const report: QuarantineReport = {
        key,
        why: error.message,
        ...(error.field !== undefined && { field: error.field }),
        at: new Date(clock.now()).toISOString(),
        request_id,
      };
      log.warn('a file of the inbox was put into quarantine', { ...report });
      await settled(clock, () => inbox.quarantine(key, file.etag, report));
      return { kind: 'quarantined', report, left: await leave() };
    }
  };

async function take(
  instance: Instance,
  rules: readonly InboxRule[],
  name: Exclude<InboxName, { kind: 'ignored' }>,
  { bytes, size, caller }: InboxFile,
): Promise<UploadOutcome> {
  if (name.kind === 'quarantine') {
    const [field = 'key', ...why] = name.reason.split(': ');
    throw new InvalidInput(field, why.join(': '));
  }
  const limit = LIMITS.document_bytes_inbox;
  if (bytes === undefined)
    throw new InvalidInput('content', `the file has ${size} bytes; the limit is ${limit}`);
  const content = decodeUtf8(bytes);
  if (content === undefined) throw new InvalidInput('content', 'the file is not UTF-8');

  const rule = ruleFor(rules, name.path);
  const parsed = parseFrontmatter(content);
  const read = documentFields(parsed.fields, parsed.warnings);
  // An empty list in the file counts as none: it never makes public what its folder keeps private.
  const scopes = read.scopes ?? rule?.scopes;
  const owner = read.owner ?? rule?.owner;
  return uploadDocument(instance, limit)(caller ?? dropper(rule, read.scopes ?? []), {
    category: name.category,
    filename: name.filename,
    content,
    ...(scopes?.length && { scopes }),
    ...(owner !== undefined && { owner }),
  });
}

/** The longest prefix decides. */
const ruleFor = (rules: readonly InboxRule[], path: string): InboxRule | undefined =>
  rules
    .filter(({ prefix }) => path.startsWith(prefix))
    .reduce<InboxRule | undefined>(
      (best, rule) => (best && best.prefix.length >= rule.prefix.length ? best : rule),
      undefined,
    );

/** Whoever may write to the bucket may replace what the folder or the file itself names the scopes of. */
const dropper = (rule: InboxRule | undefined, named: readonly string[]): Caller => ({
  principal: rule?.owner ?? DROPPER,
  scopes: [...new Set([...(rule?.scopes ?? []), ...named])],
});

/** The file's fault: trying again would end the same way. */
const isPermanent = (error: unknown): error is KnowHubError =>
  error instanceof InvalidInput || error instanceof NotFound;
