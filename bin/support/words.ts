import { byPort, type Counts, sumOf } from './counting-ports.ts';
import type { DecisionFact } from './decisions.ts';
import { counted, grouped } from './terminal.ts';

/** Why an item was admitted or rejected, in a sentence. */
export function reasonInWords({ decision, relations, basis, reason, needs_review }: DecisionFact): string {
  const related = relations.map(({ type, to }) => relationInWords(type, to)).join('; ');
  if (decision === 'waiting') return 'not decided yet';
  if (needs_review !== undefined)
    return `${related || 'admitted without a verdict'} (needs review: ${needs_review})`;
  if (decision === 'rejected') {
    if (basis === 'identical') return `${related}: task and content are identical, no model was asked`;
    return related || REJECTED[reason ?? ''] || `rejected: ${reason}`;
  }
  if (related !== '') return `${related}; both stay`;
  return basis === 'judge' ? 'the judge sees no relation to what is near it' : 'nothing stored is near it';
}

const REJECTED: Readonly<Record<string, string>> = {
  superseded: 'a later upload of the same path was faster',
  blocked: 'a human rejected the same text before',
};

/** R2.4, read from the newcomer to the stored item. */
function relationInWords(type: string, to: string): string {
  switch (type) {
    case 'duplicate':
      return `duplicate of ${to}`;
    case 'subset':
      return `subset: everything in it is said in ${to}`;
    case 'superset':
      return `superset: says all of ${to}, and more`;
    case 'conflict':
      return `conflict: contradicts ${to}`;
    case 'complement':
      return `complement: another side of ${to}`;
    default:
      return `${type} ${to}`;
  }
}

/** What the frontmatter parser had to put up with, in words (R3.3). */
export function warningInWords(warning: string): string {
  const [code = '', key = ''] = warning.split(/:(.*)/s);
  switch (code) {
    case 'unclosed':
      return 'frontmatter is never closed: read as text';
    case 'not_a_mapping':
      return 'frontmatter holds no fields: read as text';
    case 'malformed':
      return 'frontmatter cannot be parsed: read as text';
    case 'tabs':
      return 'frontmatter is indented with tabs: read as spaces';
    case 'unknown_tag':
      return 'frontmatter holds a YAML tag that is not known: kept as text';
    case 'duplicate_key':
      return `"${key}" comes twice: the last one counts`;
    case 'recovered':
      return `"${key}" is not valid YAML: kept as it was written`;
    case 'cut':
      return `"${key}" is too long: cut`;
    case 'not_text':
      return `"${key}" is not a text: left out`;
    case 'category':
      return 'its category differs from its folder: the folder wins';
    default:
      return warning;
  }
}

/** `4 port calls (sessions.get, …), 4 AWS requests (DynamoDB), 1 embedding`. */
export function costInWords({ ports, aws, models, embedded_texts }: Counts): string {
  const calls = Object.entries(ports).map(([call, count]) => (count === 1 ? call : `${call} ×${count}`));
  const judged = sumOf(models) - (models.embed ?? 0);
  return [
    counted(sumOf(ports), 'port call') + (calls.length > 0 ? ` (${calls.join(', ')})` : ''),
    ...(sumOf(aws) > 0 ? [requestsInWords(aws)] : []),
    embedded_texts === 0 ? 'no embedding' : counted(embedded_texts, 'embedding'),
    ...(judged > 0 ? [counted(judged, 'other model call')] : []),
  ].join(', ');
}

/** `12 AWS requests (DynamoDB 10, S3 2)`, or `1 AWS request (DynamoDB)`. */
export function requestsInWords(aws: Counts['aws']): string {
  const services = Object.entries(aws);
  const listed = services.map(([service, count]) =>
    services.length === 1 ? service : `${service} ${grouped(count)}`,
  );
  return `${counted(sumOf(aws), 'AWS request')} (${listed.join(', ')})`;
}

const KINDS: Readonly<Record<string, string>> = {
  embed: 'embed',
  'judge-relations': 'judge',
  frontmatter: 'missing fields',
  'domain-summary': 'domain texts',
};

export const portsInWords = ({ ports }: Counts): string =>
  `${grouped(sumOf(ports))} port calls: ${byPort(ports)
    .map(([port, count]) => `${port} ${grouped(count)}`)
    .join(', ')}`;

export function modelsInWords({ models, embedded_texts }: Counts): string {
  const kinds = Object.entries(models).map(([kind, count]) =>
    kind === 'embed'
      ? `embed ${grouped(count)} (${counted(embedded_texts, 'text')})`
      : `${KINDS[kind] ?? kind} ${grouped(count)}`,
  );
  return `${grouped(sumOf(models))} model calls: ${kinds.join(', ') || 'none'}`;
}

const RELATIONS = 3;

/** Of the items that one is related to a few, those of its own category by their file names; `left_out` says the rest. */
export function fewRelations(
  path: string,
  relations: readonly { type: string; to: string }[],
  left_out: (more: number) => string,
): { type: string; to: string }[] {
  const folder = path.slice(0, path.indexOf('/') + 1);
  const few = relations.slice(0, RELATIONS).map(({ type, to }) => ({
    type,
    to: to.startsWith(folder) ? to.slice(folder.length) : to,
  }));
  const more = relations.length - few.length;
  if (more > 0) few.at(-1)!.to += left_out(more);
  return few;
}
