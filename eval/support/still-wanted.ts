import { setImmediate } from 'node:timers/promises';

/** Throws once the run was interrupted. Lets the event loop turn first: in-memory work never does, and Ctrl-C would not be heard. */
export async function stillWanted(signal: AbortSignal): Promise<void> {
  await setImmediate();
  signal.throwIfAborted();
}
