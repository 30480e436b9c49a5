import { PLAIN_HEADINGS } from '#lib/adapters/standin/lexicon.ts';
import { termsIn } from '#lib/adapters/standin/terms.ts';
import type { Language } from '#lib/core/language.ts';
import { isWrittenIn, languageOf, languagesOf } from '#lib/core/language.ts';
import { cut, LIMITS } from '#lib/core/limits.ts';
import type { DomainSummaryInput, DomainSummaryOutput } from '#prompts/domain-summary.ts';
import { languageOfDomain, withAdvice } from '#prompts/domain-summary.ts';
import type { FrontmatterInput, FrontmatterOutput } from '#prompts/frontmatter.ts';

/** Less than the specification allows: a stand-in's text should be short. */
const SHORT = { summary: 200, keywords: 10, covers: 6, titles: 8 };

const SENTENCE = {
  retrieve: {
    zh: (about: string) => `用户的问题涉及${about}时检索`,
    en: (about: string) => `Retrieve when the question is about ${about}`,
  },
  end: { zh: '。', en: '.' },
  join: { zh: '、', en: '; ' },
} as const;

/** Completes frontmatter with words of the document alone (R3.2): headings, first sentences, terms that come often. */
export function writeFrontmatter({ path, body, authored }: FrontmatterInput): FrontmatterOutput {
  const prose = withoutCode(body);
  const language = languageOf(prose);
  const headings = headingsOf(body);
  const title = authored.title ?? trimmed(headings[0]?.text ?? nameOf(path), LIMITS.title);
  const sections = headings
    .map((heading) => heading.text)
    .filter((text) => text !== title && !PLAIN_HEADINGS.has(text.toLowerCase()));
  const covers =
    authored.covers ?? unique((sections.length > 0 ? sections : [title]).map(label)).slice(0, SHORT.covers);
  const words = termsIn(title, body);
  const keywords = unique((words.length > 0 ? words : [title]).map(label));
  const about = unique([title, ...covers.slice(0, 3)]).join(SENTENCE.join[language]);
  return {
    title,
    summary: authored.summary ?? firstSentences(prose, title),
    keywords: authored.keywords ?? keywords.slice(0, SHORT.keywords),
    covers,
    when_to_retrieve:
      authored.when_to_retrieve ?? SENTENCE.retrieve[language](about) + SENTENCE.end[language],
  };
}

/** Describes a domain by the titles of its items, or by what its parts say (R5.2). */
export function writeDomainSummary(input: DomainSummaryInput): DomainSummaryOutput {
  const language = languageOfDomain(input);
  const titles = unique([...input.items.map((item) => item.title), ...(input.parts ?? [])]);
  const about = listed(titles, LIMITS.description, language);
  return { description: about, when_to_retrieve: withAdvice(SENTENCE.retrieve[language](about), language) };
}

/** As many whole titles as fit. */
function listed(titles: readonly string[], limit: number, language: Language): string {
  const join = SENTENCE.join[language];
  let text = '';
  for (const title of titles.slice(0, SHORT.titles)) {
    const longer = text === '' ? trimmed(title, limit) : `${text}${join}${title}`;
    if ([...longer].length > limit) break;
    text = longer;
  }
  return text;
}

interface Heading {
  level: number;
  text: string;
}

function headingsOf(body: string): Heading[] {
  const found = withoutCode(body).matchAll(/^(#{1,6})[ \t]+(.+?)[ \t]*#*[ \t]*$/gm);
  return [...found]
    .map(([, marks = '', text = '']) => ({
      level: marks.length,
      text: plain(text).replace(/^\d+[.、)]\s*/, ''),
    }))
    .filter((heading) => heading.text !== '');
}

/** The first prose of the document, whole sentences as far as they fit. */
function firstSentences(prose: string, title: string): string {
  const languages = languagesOf(prose);
  const paragraph = prose
    .split(/\n\s*\n/)
    .map((block) => block.trim())
    .find((block) => block !== '' && !/^(?:#|\||---|<)/.test(block) && isWrittenIn(block, languages));
  const text = plain((paragraph ?? title).replace(/\n\s*/g, ' '));
  const sentences = text.match(/.+?(?:[。！？!?]|\.(?=\s|$)|$)\s*/gu) ?? [text];
  let summary = '';
  for (const sentence of sentences.slice(0, 2)) {
    if (summary !== '' && summary.length + sentence.length > SHORT.summary) break;
    summary += sentence;
  }
  return trimmed(summary.trim(), SHORT.summary);
}

const withoutCode = (body: string): string => body.replace(/^(```|~~~)[\s\S]*?^\1.*$/gm, '');

/** Markdown's marks taken off a line. */
const plain = (line: string): string =>
  line
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*`~]+/g, '')
    .replace(/^(?:[-+>]|\d+[.)、])\s+/, '')
    .trim();

const nameOf = (path: string): string =>
  (path.split('/').at(-1) ?? path)
    .replace(/\.(?:md|markdown)$/i, '')
    .replace(/[-_]+/g, ' ')
    .trim();

/** At most so many characters, and no word cut in two unless it is longer than that. */
function trimmed(text: string, limit: number): string {
  const kept = cut(text, limit);
  const inside = /[\p{L}\p{N}_]$/u.test(kept) && /^[a-z0-9_]/i.test(text.slice(kept.length));
  return (inside ? kept.replace(/(?<=.)[a-z0-9_]+$/i, '') : kept).trim();
}
const label = (text: string): string => trimmed(text, LIMITS.cover);
const unique = (texts: readonly string[]): string[] => [...new Set(texts.filter((text) => text !== ''))];
