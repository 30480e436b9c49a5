import * as z from 'zod';
import { tool } from '#lib/runtime/mcp/tool.ts';
import { addEntry, EntryInput } from '#lib/usecases/add-entry.ts';

const { task, content, domain, types, tags, scopes } = EntryInput.shape;

const Input = z.strictObject({
  task: task.describe('What the knowledge is for, in one sentence: it is found and compared by this.'),
  content: content.describe(
    'The knowledge itself, complete without this conversation: facts, steps, figures, conditions. At most 32 KB.',
  ),
  domain: domain.describe('domain_id from the knowledge map; without one it goes to "general".'),
  types: types.describe('What kind of knowledge it is, e.g. ["strategy"].'),
  tags: tags.describe('Names and values to filter by, e.g. {"service": "billing"}.'),
  scopes: scopes.describe('Who may see it, e.g. ["org:acme"]; without scopes everybody.'),
});

const Saved = z.strictObject({
  status: z.literal('pending'),
  knowledge_id: z.string(),
  message: z.string(),
});

const DESCRIPTION = `Saves one piece of knowledge that is worth keeping: a lesson, a fact, a procedure, a decision that others will need. One call for each piece; nothing that holds for this conversation alone, and no secrets.

It is queued: later it is compared with all that is stored, and then admitted, or rejected because it is known already. The answer's "knowledge_id" is its name in both cases. Do not wait, do not save it again in other words, and do not look it up to check.`;

const LATER =
  'Saved as pending. It is judged later: compared with what is stored, then admitted, or rejected if it is known already. Nothing more is to be done.';

export const saveKnowledge = tool({
  name: 'save_knowledge',
  title: 'Save knowledge',
  description: DESCRIPTION,
  input: Input,
  output: Saved,
  changes_nothing: false,
  async use_case({ instance, caller }, input) {
    const { status, knowledge_id } = await addEntry(instance)(caller, input);
    return { status, knowledge_id, message: LATER };
  },
  told: ({ knowledge_id, message }) => [`${knowledge_id}: ${message}`],
});
