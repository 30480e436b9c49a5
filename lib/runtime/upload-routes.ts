import type { Route } from '#lib/runtime/route.ts';
import { documentChanges } from '#lib/runtime/routes/document-changes.ts';
import { domainChanges } from '#lib/runtime/routes/domain-changes.ts';
import { knowledgeChanges } from '#lib/runtime/routes/knowledge-changes.ts';

/**
 * The part of the table that `upload` answers: it is bundled without the rest. `lookup` needs all of it, for
 * `openapi.json` and for the methods that it names in a 405.
 */
export const UPLOAD_ROUTES: readonly Route[] = [...knowledgeChanges, ...documentChanges, ...domainChanges];
