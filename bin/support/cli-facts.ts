import { countKinds, type DecisionFact } from './decisions.ts';
import type { Skipped } from './push-folder.ts';
import { reasonInWords } from './words.ts';

/** What came of one file. `unchanged`: the same bytes lay at its path; `waiting`: it is taken in and not decided, as far as is known. */
export interface PushedFile {
  /** Relative to the folder. */
  origin: string;
  path: string;
  decision: 'admitted' | 'rejected' | 'unchanged' | 'waiting' | 'failed';
  id?: string;
  status?: string;
  reason?: string;
  basis?: string;
  judged_by?: string;
  needs_review?: string;
  relations: { type: string; to: string }[];
  /** Frontmatter fields that were missing, and the stand-ins that wrote them. */
  generated: string[];
  generated_by: string[];
  warnings: string[];
  /** Of a file that failed, or that nobody knows the decision of. */
  why?: string;
  code?: string;
  field?: string;
}

/** What came of a folder. */
export interface PushFacts {
  url: string;
  folder: string;
  files: number;
  results: PushedFile[];
  skipped: Skipped[];
  kinds: Record<string, number>;
  /** Ctrl-C came before the end: files that were not begun have no result. */
  interrupted: boolean;
  elapsed_ms: number;
}

/** How many of each kind: decisions first, as the demo counts them. */
export function countResults(results: readonly PushedFile[]): Record<string, number> {
  const decided = results.flatMap((result) => decisionOf(result) ?? []);
  const kinds: Record<string, number> = countKinds(decided);
  for (const kind of ['unchanged', 'failed'] as const) {
    const count = results.filter(({ decision }) => decision === kind).length;
    if (count > 0) kinds[kind] = count;
  }
  return kinds;
}

/** Why a file ended as it did, in a sentence. */
export function whyInWords(result: PushedFile): string {
  const { decision, why, code, field, status } = result;
  const fact = decisionOf(result);
  if (decision === 'failed') return why + detailsOf(code, field);
  if (decision === 'unchanged') return `it was there already (${status})`;
  return why ?? (fact ? reasonInWords(fact) : '');
}

function detailsOf(code: string | undefined, field: string | undefined): string {
  const details = [code, field && `field ${field}`].filter((each) => each !== undefined && each !== '');
  return details.length === 0 ? '' : ` (${details.join(', ')})`;
}

function decisionOf(result: PushedFile): DecisionFact | undefined {
  const { decision, origin: _, ...rest } = result;
  if (decision === 'failed' || decision === 'unchanged') return undefined;
  return { id: '', title: '', helped: [], ...rest, decision };
}
