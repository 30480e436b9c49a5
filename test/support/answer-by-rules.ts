import { createStandinModel } from '#lib/adapters/standin/model.ts';
import * as domainSummary from '#prompts/domain-summary.ts';
import * as frontmatter from '#prompts/frontmatter.ts';
import * as judgeRelations from '#prompts/judge-relations.ts';
import { promptOf } from '#test/support/recorded.ts';

const standin = createStandinModel();

/** What the stand-in answers to a rendered prompt: a wire away, it has only the text to read the input from. */
export async function answerByRules(system: string, user: string): Promise<object> {
  const blocks = Object.fromEntries(
    [...user.matchAll(/<data name="([^"]+)">\n([\s\S]*?)\n<\/data>/g)].map(([, name, json]) => [
      name,
      JSON.parse(json!),
    ]),
  );
  const name = promptOf(system);
  const input = {
    [judgeRelations.name]: blocks,
    [frontmatter.name]: blocks.document,
    [domainSummary.name]: blocks.domain,
  }[name];
  const { text } = await standin.complete({
    prompt: `${name}@1`,
    system,
    user,
    input,
    schema: judgeRelations.JudgeOutput,
    repairs: [],
  });
  return JSON.parse(text);
}

/** The stand-in's vector in as many dimensions as asked for, as a unit vector. */
export async function vectorByRules(text: string, dimensions: number): Promise<number[]> {
  const [vector] = await standin.embed([text], 'passage');
  const folded = new Array<number>(dimensions).fill(0);
  for (const [n, value] of vector!.entries()) folded[n % dimensions]! += value;
  const norm = Math.hypot(...folded) || 1;
  return folded.map((value) => value / norm);
}
