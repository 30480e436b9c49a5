import { embedByHash, STANDIN_EMBEDDER } from '#lib/adapters/standin/embedder.ts';
import { judgeByRules } from '#lib/adapters/standin/judge.ts';
import { writeDomainSummary, writeFrontmatter } from '#lib/adapters/standin/writers.ts';
import type { Model } from '#lib/ports.ts';
import * as domainSummary from '#prompts/domain-summary.ts';
import * as frontmatter from '#prompts/frontmatter.ts';
import * as judgeRelations from '#prompts/judge-relations.ts';

export const STANDIN_WRITER = { name: 'stand-in-rules', stand_in: true } as const;

/** By the name of a prompt: what is made of its input. */
const RULES: Readonly<Record<string, (input: unknown) => unknown>> = {
  [judgeRelations.name]: (input) => judgeByRules(judgeRelations.JudgeInput.parse(input)),
  [frontmatter.name]: (input) => writeFrontmatter(frontmatter.FrontmatterInput.parse(input)),
  [domainSummary.name]: (input) => writeDomainSummary(domainSummary.DomainSummaryInput.parse(input)),
};

/** A model of rules and hashes: no key, no download, no clock. Its name stands wherever its output shows (design, section 4). */
export function createStandinModel(): Model {
  return {
    embedder: STANDIN_EMBEDDER,
    writer: STANDIN_WRITER,
    embed: async (texts) => texts.map(embedByHash),
    complete: async ({ prompt, input }) => {
      const write = RULES[prompt.split('@')[0] ?? ''];
      if (write === undefined) throw new Error(`The stand-in has no rules for the prompt "${prompt}".`);
      return { text: JSON.stringify(write(input)), model: STANDIN_WRITER.name };
    },
  };
}
