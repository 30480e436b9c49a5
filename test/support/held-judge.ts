import type { ScriptedModel } from '#test/support/scripted-model.ts';

export interface HeldJudge {
  /** The judge was asked, and thinks. */
  asked: Promise<void>;
  /** Lets it answer. */
  answer(): void;
}

/** Holds the judge's next answer until it is let go; calls after that are answered at once. */
export function holdJudge({ script }: ScriptedModel): HeldJudge {
  const asked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  script.before = async (what) => {
    if (what !== 'complete') return;
    script.before = () => Promise.resolve();
    asked.resolve();
    await held.promise;
  };
  return { asked: asked.promise, answer: () => held.resolve() };
}

/** Lets something happen while the judge thinks about its next answer. */
export function whileJudgeThinks({ script }: ScriptedModel, meanwhile: () => Promise<unknown>): void {
  script.before = async (what) => {
    if (what !== 'complete') return;
    script.before = () => Promise.resolve();
    await meanwhile();
  };
}
