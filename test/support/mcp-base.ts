import { expect, onTestFinished } from 'vitest';
import { knowledgeBase } from '#test/support/instance.ts';
import { mcpGateway } from '#test/support/mcp.ts';

/** A knowledge base of this test, and two functions of it behind a gateway; none of them may fail by a fault of ours. */
export async function startMcpBase() {
  const base = knowledgeBase();
  const gateway = await mcpGateway([base.instance, base.another()]);
  onTestFinished(async () => {
    await gateway.close();
    expect(gateway.faults).toEqual([]);
  });
  return { base, gateway };
}
