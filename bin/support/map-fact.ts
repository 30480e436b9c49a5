import { tokens } from '#lib/core/tokens.ts';
import { knowledgeMap } from '#lib/usecases/knowledge-map.ts';
import { listDomains } from '#lib/usecases/list-domains.ts';
import { AGENT } from './ask.ts';
import type { LocalSystem } from './local-instance.ts';
import { counted, grouped, hanging, shortened, type Terminal } from './terminal.ts';

/** The knowledge map, its size and what it may take, and who wrote the texts of its domains. */
export interface MapFact {
  yaml: string;
  tokens: number;
  budget_tokens: number;
  domains: number;
  written_by: string[];
}

export async function mapFact({ instance }: LocalSystem): Promise<MapFact> {
  const yaml = await knowledgeMap(instance)(AGENT);
  const domains = await listDomains(instance)(AGENT);
  return {
    yaml,
    tokens: tokens(yaml),
    budget_tokens: instance.settings.map_budget_tokens,
    domains: domains.length,
    written_by: [...new Set(domains.map(({ model }) => model).filter((model) => model !== ''))],
  };
}

/** Tells the map: at most `most` lines, each cut to the terminal's width. */
export function tellMap({ line, style, width }: Terminal, map: MapFact, most: number): void {
  const lines = map.yaml.trimEnd().split('\n');
  for (const text of lines.slice(0, most)) line(style.dim(`   ${shortened(text, width - 3)}`));
  if (lines.length > most) line(`   … ${counted(lines.length - most, 'more line')} (--all shows them)`);
  const share = Math.round((100 * map.tokens) / map.budget_tokens);
  line();
  const size = `${counted(map.domains, 'domain')}, about ${grouped(map.tokens)} tokens of ${grouped(map.budget_tokens)} (${share} %); texts of domains by ${map.written_by.join(', ') || 'nobody yet'}.`;
  for (const each of hanging('   ', size, width)) line(each);
}
