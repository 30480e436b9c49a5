/** Makes a call; `sends` says which fields may go with it. */
export type Attempt = <Answer>(
  call: (sends: (field: string) => boolean) => Promise<Answer>,
) => Promise<Answer>;

/**
 * Fields that some models refuse (new ones keep coming, so no list of models is kept): a call is made with all of them;
 * those that `refused` finds in the error are left out, and once that has helped, for good. An error that names none
 * passes through.
 */
export function optionalFields(
  refused: (error: unknown, sent: readonly string[]) => readonly string[],
): Attempt {
  const never = new Set<string>();
  return async (call) => {
    const left_out = new Set(never);
    for (;;) {
      const sent = new Set<string>();
      try {
        const answer = await call((field) => {
          if (!left_out.has(field)) sent.add(field);
          return !left_out.has(field);
        });
        for (const field of left_out) never.add(field);
        return answer;
      } catch (error) {
        const named = refused(error, [...sent]).filter((field) => sent.has(field));
        if (named.length === 0) throw error;
        for (const field of named) left_out.add(field);
      }
    }
  };
}
