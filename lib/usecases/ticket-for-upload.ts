import * as z from 'zod';
import type { Caller } from '#lib/core/caller.ts';
import { INBOX, type UploadTicket } from '#lib/core/inbox.ts';
import { LIMITS } from '#lib/core/limits.ts';
import { documentPath } from '#lib/core/names.ts';
import { parseInput } from '#lib/core/parse-input.ts';
import type { Instance } from '#lib/usecases/instance.ts';

export const TicketInput = z.strictObject({ category: z.string(), filename: z.string() });

export interface TicketOutcome extends UploadTicket {
  path: string;
  max_bytes: number;
  /** Seconds from now. */
  expires_in: number;
}

const EXPIRES_IN_S = 15 * 60;

/** A presigned upload into the inbox for documents that are too large for the API (R3.1): up to 10 MB, in the caller's name. */
export const ticketForUpload =
  ({ inbox }: Instance) =>
  async (caller: Caller, input: unknown): Promise<TicketOutcome> => {
    const { category, filename } = parseInput(TicketInput, input);
    const path = documentPath(category, filename);
    const max_bytes = LIMITS.document_bytes_inbox;
    const ticket = await inbox.ticket(INBOX + path, caller, max_bytes, EXPIRES_IN_S);
    return { ...ticket, path, max_bytes, expires_in: EXPIRES_IN_S };
  };
