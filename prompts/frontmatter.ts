import * as z from 'zod';
import { FieldName } from '#lib/core/item.ts';
import type { Completion } from '#lib/ports.ts';
import { DATA_RULE, dataBlock } from '#prompts/data-block.ts';

export const name = 'frontmatter';
export const version = 2;

export const FrontmatterOutput = z.strictObject({
  title: z.string().describe('at most 200 characters'),
  summary: z.string().describe('one or two sentences'),
  keywords: z.array(z.string()).describe('5 to 12 terms, at most 64 characters each'),
  covers: z
    .array(z.string())
    .describe('2 to 8 short labels of business scenarios, at most 64 characters each'),
  when_to_retrieve: z.string().describe('one sentence'),
});
export type FrontmatterOutput = z.infer<typeof FrontmatterOutput>;

/** A document whose author left fields out. `body` may be cut; `missing` says which fields will be used (R3.2). */
export const FrontmatterInput = z.strictObject({
  path: z.string(),
  body: z.string(),
  authored: FrontmatterOutput.partial(),
  missing: z.array(FieldName),
});
export type FrontmatterInput = z.infer<typeof FrontmatterInput>;

export const system = `You describe one document of a knowledge base, so that agents can tell when they need it.

${DATA_RULE}

Write all five fields:
- title: what the document is about, as its author would call it, at most 200 characters.
- summary: what it says, in one or two sentences.
- keywords: terms that a reader would search for literally: products, components, error codes, commands, settings. Prefer those that belong to this document alone; no general words such as "guide", "system" or "问题". 5 to 12, at most 64 characters each.
- covers: the business scenarios that it helps with, as short labels such as "payment timeout" or "扣款无回调". 2 to 8, at most 64 characters each.
- when_to_retrieve: one sentence that says in which situation of a user this document should be retrieved.

Rules:
- Write in the language of the document.
- Name nothing that the document does not contain: no product, cause, figure or scenario of your own. Keywords and covers use its own words; one with other words is dropped.
- Fields listed under "authored" were written by the author and stay: repeat them unchanged, and let the others agree with them. Fields listed under "missing" are the ones that will be used.`;

const format = `Answer with strict JSON and nothing else:
{"title": "", "summary": "", "keywords": [""], "covers": [""], "when_to_retrieve": ""}`;

/** The call that completes a document's frontmatter (R3.2). */
export function render(input: FrontmatterInput): Omit<Completion<FrontmatterOutput>, 'repairs'> {
  return {
    prompt: `${name}@${version}`,
    system,
    user: `${dataBlock('document', input)}\n\n${format}`,
    input,
    schema: FrontmatterOutput,
  };
}
