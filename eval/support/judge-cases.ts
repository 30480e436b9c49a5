import { readFileSync } from 'node:fs';
import * as z from 'zod';
import type { Model } from '#lib/ports.ts';
import type { Running } from './measure-cosines.ts';
import { type ScopedText, type Verdict, verdictOn } from './verdicts.ts';

const CaseText = z.object({ task: z.string(), content: z.string(), scopes: z.array(z.string()).optional() });
const Case = z.object({
  id: z.string(),
  stored: z.array(CaseText).max(1),
  new: CaseText,
  relations: z.array(z.string()),
  decision: z.enum(['approved', 'rejected']),
});

/** One case of `cases/admission.json`, what a right judge says, and what was said. */
export interface JudgedCase extends Verdict {
  id: string;
  /** One of these; none where nothing may be compared. */
  relations: string[];
  decision: 'approved' | 'rejected';
  right: boolean;
}

/** Judges each case with one stored text at most; A20, which is about 50 of them, is measured with the twins. */
export async function judgeCases(
  file: string,
  model: Model,
  budget: number,
  { signal, tell }: Running,
): Promise<JudgedCase[]> {
  const cases = z
    .array(z.unknown())
    .parse(JSON.parse(readFileSync(file, 'utf8')))
    .flatMap((one) => Case.safeParse(one).data ?? []);
  const judged: JudgedCase[] = [];
  for (const { id, stored, new: newcomer, relations, decision } of cases) {
    signal.throwIfAborted();
    const verdict = await verdictOn(model, budget, newcomer, stored[0] as ScopedText | undefined);
    const said = relations.length === 0 ? verdict.said === 'none' : relations.includes(verdict.said);
    const right = said && verdict.rejected === (decision === 'rejected');
    judged.push({ id, relations, decision, right, ...verdict });
    tell(`${judged.length}/${cases.length} cases judged`);
  }
  return judged;
}
