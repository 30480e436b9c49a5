import { readFileSync } from 'node:fs';
import * as domainSummary from '#prompts/domain-summary.ts';
import * as frontmatter from '#prompts/frontmatter.ts';
import * as judgeRelations from '#prompts/judge-relations.ts';

const PROMPTS = [judgeRelations, frontmatter, domainSummary];

/** Body of a reply under test/support/recorded. */
export const recorded = (name: string): string =>
  readFileSync(new URL(`./recorded/${name}.json`, import.meta.url), 'utf8');

/** Which prompt a request was rendered from, by its system text. */
export function promptOf(system: string): string {
  const prompt = PROMPTS.find((each) => each.system === system);
  if (prompt === undefined) throw new Error('A request with a system text of no prompt.');
  return prompt.name;
}
