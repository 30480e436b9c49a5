const LEADING = /^\s*<(think|thinking|thought|reasoning)>[\s\S]*?(?:<\/\1>|$)/i;
// Where the chat template opens the thought itself, only its end stands in the reply.
const UNOPENED = /^\s*(?![{[`])[\s\S]*?<\/(?:think|thinking)>/i;

/**
 * A model's text without the thoughts that reasoning models write before their answer: what is weighed there is no
 * answer, though it may look like one. A thought that was cut off leaves nothing.
 */
export function withoutThoughts(text: string): string {
  let rest = text;
  while (LEADING.test(rest)) rest = rest.replace(LEADING, '');
  return rest.replace(UNOPENED, '').trimStart();
}
