import type { z } from 'zod';

/** A prompt rendered for a model: `prompts/` makes them. */
export interface Completion<Output> {
  /** Name and version, e.g. `judge-relations@1`; a stand-in answers by it. */
  prompt: string;
  system: string;
  user: string;
  /** What the prompt was rendered from: stand-ins work on it, real models never see it. */
  input: unknown;
  schema: z.ZodType<Output>;
  /** Earlier answers that were sent back, with why (R4.5). */
  repairs: { reply: string; problem: string }[];
}

export interface Reply {
  /** The raw answer: the tool's arguments as JSON, or text as the model wrote it. Parsed by the caller. */
  text: string;
  model: string;
}
