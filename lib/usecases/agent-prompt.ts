import type { Caller } from '#lib/core/caller.ts';
import { currentSession, searchedDomains, sessionKey } from '#lib/core/session.ts';
import { visibleDomains } from '#lib/core/visible-domains.ts';
import type { Instance } from '#lib/usecases/instance.ts';
import { knowledgeMap } from '#lib/usecases/knowledge-map.ts';
import { render as renderExecutor } from '#prompts/executor.ts';
import { render as renderPlanner } from '#prompts/planner.ts';

export type AgentRole = 'planner' | 'executor';

/** The prompt of the Planner or the Executor, with the caller's map in it; the Executor's also names what its session has searched (R5.4). */
export const agentPrompt =
  (instance: Instance) =>
  async (role: AgentRole, caller: Caller, session_id?: string): Promise<string> => {
    const mapFor = knowledgeMap(instance);
    if (role === 'planner') return renderPlanner(await mapFor(caller));
    const [map, searched] = await Promise.all([mapFor(caller), searchedBy(instance, caller, session_id)]);
    const visible = visibleDomains(instance.catalog.fold, caller.scopes);
    return renderExecutor(
      map,
      searched.filter((domain_id) => visible.has(domain_id)),
    );
  };

async function searchedBy(
  { sessions, clock }: Instance,
  { principal }: Caller,
  session_id: string | undefined,
): Promise<string[]> {
  if (session_id === undefined || session_id === '') return [];
  const row = await sessions.get(sessionKey(principal, session_id));
  return searchedDomains(currentSession(row, clock.now() / 1000));
}
