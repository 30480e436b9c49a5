import * as z from 'zod';
import type { Caller } from '#lib/core/caller.ts';
import { parseInput } from '#lib/core/parse-input.ts';
import { sessionKey } from '#lib/core/session.ts';
import type { Instance } from '#lib/usecases/instance.ts';

export const EndSessionInput = z.strictObject({ session_id: z.string().min(1).max(256) });
export type EndSessionInput = z.infer<typeof EndSessionInput>;

/** Forgets the caller's session (R6.7); one that is not there, or is another's, is none. Throws `InvalidInput`. */
export const endSession =
  ({ sessions }: Pick<Instance, 'sessions'>) =>
  async (caller: Caller, input: unknown): Promise<void> => {
    const { session_id } = parseInput(EndSessionInput, input);
    await sessions.forget(sessionKey(caller.principal, session_id));
  };
