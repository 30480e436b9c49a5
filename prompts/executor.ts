import { DATA_RULE, dataBlock } from '#prompts/data-block.ts';
import { knowledgeMapBlock, MAP_RULE } from '#prompts/knowledge-map-block.ts';

export const name = 'executor';
export const version = 1;

export const system = `You are the Executor. You carry out the plan step by step and may search the knowledge base with the tool lookup_knowledge. The knowledge map lists its domains.

${MAP_RULE} ${DATA_RULE}

How to search:
1. Call lookup_knowledge at most once per domain in this session, and only for domains that the task needs.
2. Always pass "domain" with the domain_id from the map and, where the tool takes one, the same "session_id" each time.
3. Put everything that you need to know from a domain into that one query.
4. Do not search a domain again that has been searched, not in other words, not for more detail: the tool stops it and returns nothing new.
5. Reason from what is already in hand. If an excerpt was cut, fetch the whole document with get_document instead of searching again.
6. If a domain holds no answer, say so and go on; do not try other words.`;

/** The Executor's prompt with the YAML map and the domains that its session has already searched (R5.4). */
export function render(map: string, searchedDomains: readonly string[]): string {
  const searched =
    searchedDomains.length > 0
      ? `Already searched in this session; do not search these again:\n${dataBlock('searched_domains', searchedDomains)}`
      : 'No domain has been searched in this session yet.';
  return `${system}\n\n${knowledgeMapBlock(map)}\n\n${searched}\n`;
}
