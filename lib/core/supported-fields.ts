import { type CharacterKind, kindOf } from '#lib/core/characters.ts';
import { stem } from '#lib/core/english-stem.ts';
import { languageOf } from '#lib/core/language.ts';
import { normalise } from '#lib/core/normalise.ts';
import { figuresInWords } from '#lib/core/number-words.ts';
import { terms } from '#lib/core/terms.ts';

/** What a text holds, so that what a model wrote about it can be held against it (R3.2, R5.2). */
export interface Support {
  /** Whether the text has every telling word of a keyword or cover, whatever their order and inflection. */
  label(label: string): boolean;
  /** Names and figures of a sentence, as written there, that the text does not have. */
  strangers(sentence: string): string[];
  /** Whether the text has next to nothing of what the sentence says. */
  isForeign(sentence: string): boolean;
}

/** Of the authors' own summaries in data/markdown and data/zh-runbooks about 1 sentence in 60 shares less with its document. */
const FOREIGN = 0.15;
/** Fewer telling words tell nothing. */
const TELLING = 4;

/** Words that only join others, or say of what kind a text is: a label may have them where the text does not. */
const EMPTY: ReadonlySet<string> = new Set(
  `a an the and or of in on at to for from by with without as is are was be been no not how what when where why who it
  its do does i you we this that after before during into than via vs
  guide runbook handbook manual overview introduction reference issue issues problem problems troubleshooting handling
  的 了 和 与 及 或 在 是 被 把 将 时 中 后 前 无 不 未 没 有 为 对 从 到`.split(/\s+/),
);
const EMPTY_CJK =
  /(?:如何|怎么|怎样|什么|没有|无法|不能|之后|之前|问题|排查|处理|指南|手册|说明|方法|流程)\p{M}*/u;

/** Reads a text once; each label is then a few look-ups. */
export function supportIn(text: string): Support {
  const found = terms(text);
  const there = new Set([
    ...[...found, ...terms(inWords(text)), ...terms(ungrouped(text)), ...figuresInWords(text)],
    ...[...text.matchAll(ABBREVIATIONS)].map(([, one]) => normalise(one!)),
    ...[...text.matchAll(VERSION)].map(([, of]) => normalise(of!)),
  ]);
  for (const word of [...there]) there.add(stem(word));
  // `time-out`, `time out` and `timeout` are one word.
  for (const [at, next] of found.slice(1).entries()) there.add(found[at]! + next);
  const plain = normalise(text);

  const hasWord = (word: string): boolean => {
    const lower = normalise(word);
    if (there.has(lower) || there.has(stem(lower))) return true;
    const several = /^(\p{Lu}{2,})s$/u.exec(word)?.[1];
    if (several !== undefined && there.has(normalise(several))) return true;
    const [, of, version] = /^(\p{L}*?)[vV](\d+)$/u.exec(word) ?? [];
    if (version !== undefined && there.has(version) && (!of || hasWord(of))) return true;
    const parts = runsOf(inWords(word));
    return parts.length > 1 && parts.every(hasWord);
  };
  const has = (run: string, at: number, runs: readonly string[]): boolean =>
    isCjk(run)
      ? hasCharacters(run, there, plain)
      : hasWord(run) || hasWord(`${runs[at - 1] ?? ''}${run}`) || hasWord(`${run}${runs[at + 1] ?? ''}`);
  return {
    label(label) {
      const telling = runsOf(label).filter((run) => !EMPTY.has(normalise(run)));
      if (telling.length > 0) return telling.every(has);
      return label.trim() !== '' && plain.includes(normalise(label));
    },
    strangers(sentence) {
      const of = (each: string) => namesIn(each).filter((name) => !hasWord(name));
      const as_written = of(sentence);
      const plain = of(ungrouped(sentence));
      return plain.length < as_written.length ? plain : as_written;
    },
    isForeign(sentence) {
      const telling = [...new Set(terms(sentence))].filter((term) => !EMPTY.has(term));
      const shared = telling.filter(hasWord);
      return telling.length >= TELLING && shared.length < FOREIGN * telling.length;
    },
  };
}

/** Identifiers as the words and figures that they are made of: `maximumPoolSize`, `ERR_TIMEOUT`, `HTTP500`. */
const inWords = (text: string): string =>
  text.replace(/(\p{Ll}|\p{N})(?=\p{Lu})|(\p{N})(?=\p{L})|(\p{L})(?=\p{N})/gu, '$& ').replaceAll('_', ' ');

/** `VMs`, `IDs`: too short for an ending to be told from the word. */
const ABBREVIATIONS = /(?<!\p{L})(\p{Lu}{2,})s(?![\p{L}\p{N}])/gu;
/** `TLSv1` is a version of TLS. */
const VERSION = /(?<!\p{L})(\p{L}{2,})v(?=\d)/gu;

/** `1,000` and `1000` are one figure; `80,443` may be two. */
const ungrouped = (text: string): string => text.replace(/(?<=\d),(?=\d{3}(?!\d))/g, '');

/** Each character stands in a pair that the text has, or alone in between and somewhere in the text. */
function hasCharacters(run: string, there: ReadonlySet<string>, plain: string): boolean {
  const characters = [...normalise(run)];
  const paired = characters.map(
    (character, at) =>
      there.has(`${characters[at - 1] ?? ''}${character}`) ||
      there.has(`${character}${characters[at + 1] ?? ''}`),
  );
  return characters.every(
    (character, at) =>
      paired[at] || (paired[at + 1] !== false && (plain.includes(character) || EMPTY.has(character))),
  );
}

/** Words, and stretches of CJK characters between words that say nothing, in order. */
function runsOf(text: string): string[] {
  const runs: string[] = [];
  let run = '';
  let kind: CharacterKind | undefined;
  const end = () => {
    runs.push(...run.split(EMPTY_CJK).filter((part) => part !== ''));
    run = '';
  };
  for (const character of text.normalize('NFKC')) {
    const next = kindOf(character);
    if (next !== kind && next !== 'mark') {
      end();
      kind = next;
    }
    if (kind === 'word' || kind === 'cjk') run += character;
  }
  end();
  return runs;
}

/** A run is of the kind of its first character. */
const isCjk = (run: string): boolean => kindOf(run) === 'cjk';

const MARKED = /\p{N}|_|\p{Ll}\p{Lu}|^\p{Lu}{2,}$/u;
/** Within a sentence, and not where one begins. */
const CAPITAL = /(?<=[\p{Ll}\p{N},] )\p{Lu}[\p{Lu}\p{Ll}\p{N}]+/gu;
/** So many words in a row are a phrase. */
const PHRASE = 4;

/** What in a sentence looks like a figure, or like the name of something; in a Chinese one every few Latin words do. */
function namesIn(sentence: string): string[] {
  const runs = runsOf(sentence);
  const capitals = sentence.match(CAPITAL) ?? [];
  // A title in capitals names nothing by them.
  const names = new Set(
    capitals.length * 2 < runs.length ? capitals.filter((word) => !EMPTY.has(normalise(word))) : [],
  );
  const chinese = languageOf(sentence) === 'zh';
  let words: string[] = [];
  for (const run of [...runs, '']) {
    if (run !== '' && !isCjk(run)) {
      words.push(run);
      continue;
    }
    const each = chinese && words.length < PHRASE ? /..|\p{N}/u : MARKED;
    for (const word of words) if (each.test(word) && !EMPTY.has(normalise(word))) names.add(word);
    words = [];
  }
  return [...names];
}
