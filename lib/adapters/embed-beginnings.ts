import { cut } from '#lib/core/limits.ts';

/** Shorter than any model's limit: a text of this length is refused for another reason. */
const SHORTEST = 200;

/**
 * Embeds each text by its beginning, as much of it as the model reads: cut to `characters` code points first, and as
 * long as the model finds the input too long, the longest texts are halved. No tokenizer is needed.
 */
export async function embedBeginnings(
  texts: readonly string[],
  characters: number,
  embed: (texts: string[]) => Promise<number[][]>,
  isTooLong: (error: unknown) => boolean,
): Promise<number[][]> {
  let beginnings = texts.map((text) => cut(text, characters));
  for (;;) {
    try {
      return await embed(beginnings);
    } catch (error) {
      const half = Math.floor(Math.max(...beginnings.map((text) => text.length)) / 2);
      if (!isTooLong(error) || half < SHORTEST) throw error;
      beginnings = beginnings.map((text) => cut(text, half));
    }
  }
}
