/** Proved by tests that name the id, or planned: with what is still missing, and the issue in which it comes. */
export type Requirement =
  | { title: string; status: 'proved' }
  | { title: string; status: 'planned'; issue: number; reason: string };

const proved = (title: string): Requirement => ({ title, status: 'proved' });
const planned = (title: string, issue: number, reason: string): Requirement => ({
  title,
  status: 'planned',
  issue,
  reason,
});

/** Every requirement of the specification, sections 7 and 8 as `API` and `FIGURES`. Tests name the ids that they prove. */
export const REQUIREMENTS = {
  'R2.1': proved('An item has these fields, and no others'),
  'R2.2': proved(
    'Frontmatter has these fields; unknown keys stay as written; the folder wins over the category',
  ),
  'R2.3': proved('A domain has a text and counts its live documents; without live items it leaves the map'),
  'R2.4': proved('Six relation types with their inverses, and coined ones, defined under the same task'),
  'R2.5': proved('The relations of a type, of an item, and all pairs, without a scan'),
  'R2.6': proved('Rows without status or relationships are read as approved and unrelated'),
  'R3.1': planned(
    'The ways in',
    5,
    'partly: documents, entries, inbox and quarantine, presigned upload and import are proved; extract and the import job are to come',
  ),
  'R3.2': proved(
    'A document is completed by the model, stored, written, queued; nothing is orphaned, nothing waits for the model',
  ),
  'R3.3': proved('Frontmatter is forgiving'),
  'R3.4': proved('The embedding of a task is made once and reused'),
  'R3.5': proved('A path holds one document: the latest upload that was admitted'),
  'R3.6': proved('What is deleted is gone at once and erased'),
  'R3.7': proved('Limits and names: the field at fault is named, the rest goes on'),
  'R4.1': proved(
    'Recall finds what is near, what is new and what is identical, and only what every reader may see',
  ),
  'R4.2': proved('One call judges the newcomer against its candidates'),
  'R4.3': proved('A rejection credits what it rests on, once'),
  'R4.4': proved('An admission writes its relations, read from both ends'),
  'R4.5': proved('The judge’s answer is validated; without one the item gets in and is marked'),
  'R4.6': proved('A claim holds an item, and ends'),
  'R4.7': proved('Side by side is as one after the other'),
  'R4.8': proved('The sweep gets everything unstuck'),
  'R5.1': proved('Only the affected domain is recomputed, and a burst costs a few calls'),
  'R5.2': proved('The model writes a domain’s text from what its public items say'),
  'R5.3': proved('The map is built without a model, within its budget'),
  'R5.4': proved('The prompts carry the map and its rules, over the API and over MCP'),
  'R6.1': proved('A lookup has this answer, and the same one to the same request'),
  'R6.2': proved('L0 matches keywords at word bounds, and a unique one of the author’s skips L1'),
  'R6.3': proved('L1 is k-NN over sections and BM25, fused, after the matches of L0'),
  'R6.4': proved('An excerpt, or the section that matched; the whole document by its path'),
  'R6.5': proved('An item is returned once a session'),
  'R6.6': proved('A domain is searched once a session'),
  'R6.7': proved('A session belongs to its caller, and ends'),
  'R6.8': proved('An item is visible to who shares a scope with it'),
  'R6.9': proved('A decision is obeyed by every function at its next call'),
  API: planned(
    'Section 7: routes, reviews, jobs, MCP, errors',
    6,
    'partly: 25 routes and MCP are proved; feedback, extract, slim, migrate and jobs are to come',
  ),
  FIGURES: planned(
    'Section 8: figures, logs, metrics',
    6,
    'partly: the budgets of calls are proved; times and the catalog at scale are measured with the lookup issue',
  ),
} as const satisfies Record<string, Requirement>;
