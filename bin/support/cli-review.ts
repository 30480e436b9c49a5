import { statusCall } from './cli-decide.ts';
import { ListReply, StatusReply } from './cli-replies.ts';
import { ApiFault, type Client } from './client.ts';
import { hanging, printable, shortened, type Terminal } from './terminal.ts';

export interface ReviewAsked {
  /** What was rejected, in place of what waits for a word. */
  rejected: boolean;
  domain: string | undefined;
  limit: number;
}

/** What a human may want to look at; `more` = there are others that were not asked for. */
export interface ReviewList {
  items: ReviewItem[];
  more: boolean;
}

interface ReviewItem {
  id: string;
  /** An entry has none: its task says what it is. */
  path?: string;
  task: string;
  status: string;
  decision: string;
  /** Why somebody should look. */
  needs_review?: string;
}

const AT_ONCE = 8;

/** The list, with the decision behind each item. Throws what the client throws. */
export async function listForReview(
  client: Client,
  { rejected, domain, limit }: ReviewAsked,
): Promise<ReviewList> {
  const query = {
    ...(rejected ? { status: 'rejected' } : { needs_review: 'true' }),
    ...(domain !== undefined && { domain }),
    limit: String(limit),
  };
  const { reply } = await client.json({ method: 'GET', path: '/api/knowledge', query }, ListReply);
  const items: ReviewItem[] = [];
  for (let at = 0; at < reply.items.length; at += AT_ONCE) {
    const some = reply.items.slice(at, at + AT_ONCE);
    items.push(...(await Promise.all(some.map((each) => withDecision(client, each)))).flat());
  }
  return { items, more: reply.next_cursor !== undefined };
}

/** None if it was deleted since it was listed. */
async function withDecision(
  client: Client,
  { id, task }: { id: string; task: string },
): Promise<ReviewItem[]> {
  try {
    const { reply } = await client.json(statusCall(id), StatusReply);
    const { path, status, decision, needs_review } = reply;
    return [
      {
        id,
        ...(path !== undefined && { path }),
        task,
        status,
        decision,
        ...(needs_review !== undefined && { needs_review }),
      },
    ];
  } catch (error) {
    if (error instanceof ApiFault && error.status === 404) return [];
    throw error;
  }
}

/** Tells the list: who it is, what was decided and why, and why somebody should look. */
export function tellReview(
  { line, style, width }: Terminal,
  { rejected }: Pick<ReviewAsked, 'rejected'>,
  { items, more }: ReviewList,
): void {
  if (items.length === 0) line(rejected ? 'Nothing was rejected.' : 'Nothing waits for a word.');
  for (const [n, { id, path, task, status, decision, needs_review }] of items.entries()) {
    if (n > 0) line();
    line(style.bold(shortened(printable(path ?? task.split('\n')[0]!), width)));
    line(style.dim(`  ${id}`));
    for (const each of hanging('  ', printable(`${status}: ${decision}`), width)) line(each);
    if (needs_review === undefined) continue;
    for (const each of hanging('  look at it: ', printable(needs_review), width, style.yellow)) line(each);
  }
  if (more) for (const each of ['', 'There are more: --limit N']) line(each);
}
