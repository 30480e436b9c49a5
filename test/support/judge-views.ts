import type { JudgeView } from '#lib/core/judge-view.ts';

/** An entry as a judge sees it, whole. */
export const entryView = (task: string, content: string): JudgeView => ({
  task,
  outline: '',
  content,
  complete: true,
  characters: [...content].length,
});
