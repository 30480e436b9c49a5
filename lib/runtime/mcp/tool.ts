import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import type { Caller } from '#lib/core/caller.ts';
import { parseInput } from '#lib/core/parse-input.ts';
import type { Meter } from '#lib/runtime/metrics.ts';
import type { Instance } from '#lib/usecases/instance.ts';

/** What a call of a tool is made in. `request_id`: the same when the same call is sent again after a lost answer (R6.1). */
export interface ToolContext {
  instance: Instance;
  meter: Meter;
  caller: Caller;
  session_id: string;
  request_id: string;
}

/** One tool as a client sees it, and what calling it does. */
export interface McpTool {
  listed: Tool;
  /** Throws `KnowHubError`, with the field at fault. */
  call(context: ToolContext, given: unknown): Promise<CallToolResult>;
}

interface Definition<Input, Output extends Record<string, unknown>> {
  name: string;
  title: string;
  /** Written for a model: when to call, what comes back, what not to do. */
  description: string;
  input: z.ZodType<Input>;
  output: z.ZodType<Output>;
  changes_nothing: boolean;
  use_case: (context: ToolContext, input: Input) => Promise<Output>;
  /** The same for who reads: one block of text each. */
  told: (output: Output) => string[];
}

export function tool<Input, Output extends Record<string, unknown>>(
  definition: Definition<Input, Output>,
): McpTool {
  const { name, title, description, input, output, changes_nothing, use_case, told } = definition;
  return {
    listed: {
      name,
      title,
      description,
      inputSchema: objectSchema(input, 'input'),
      outputSchema: objectSchema(output, 'output'),
      annotations: {
        title,
        readOnlyHint: changes_nothing,
        destructiveHint: false,
        idempotentHint: changes_nothing,
        openWorldHint: false,
      },
    },
    async call(context, given) {
      const result = await use_case(context, parseInput(input, given ?? {}));
      return {
        content: told(result).map((text) => ({ type: 'text', text })),
        structuredContent: result,
      };
    },
  };
}

/** Draft 7 is what clients' validators know. */
function objectSchema(schema: z.ZodType, io: 'input' | 'output'): Tool['inputSchema'] {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    target: 'draft-7',
    unrepresentable: 'any',
    reused: 'inline',
  });
  return { ...rest, type: 'object' } as Tool['inputSchema'];
}
