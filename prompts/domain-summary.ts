import * as z from 'zod';
import type { Language } from '#lib/core/language.ts';
import { languageOf } from '#lib/core/language.ts';
import type { Completion } from '#lib/ports.ts';
import { DATA_RULE, dataBlock } from '#prompts/data-block.ts';

export const name = 'domain-summary';
export const version = 1;

export const DomainSummaryOutput = z.strictObject({
  description: z.string().max(256),
  when_to_retrieve: z.string(),
});
export type DomainSummaryOutput = z.infer<typeof DomainSummaryOutput>;

/** A domain's unscoped items, or, of a large domain, summaries of its parts (R5.2). */
export const DomainSummaryInput = z.strictObject({
  domain_id: z.string(),
  items: z.array(z.strictObject({ title: z.string(), summary: z.string(), when_to_retrieve: z.string() })),
  parts: z.array(z.string()).optional(),
});
export type DomainSummaryInput = z.infer<typeof DomainSummaryInput>;

/** The advice that ends every domain's `when_to_retrieve` (R5.2). */
export const SEARCH_ONCE: Readonly<Record<Language, string>> = {
  zh: '优先检索一次，勿重复。',
  en: 'Search it once; do not repeat the search in other words.',
};

/** The language of the domain's items, which its text is written in (R5.2). */
export const languageOfDomain = ({ items, parts }: DomainSummaryInput): Language =>
  languageOf([...items.flatMap((item) => [item.title, item.summary]), ...(parts ?? [])].join('\n'));

/** Ends the text with the advice to search once, unless it already does; a model forgets it now and then (R5.2). */
export function withAdvice(when_to_retrieve: string, language: Language): string {
  const text = when_to_retrieve.trim();
  if (text.endsWith(SEARCH_ONCE[language])) return text;
  if (text === '') return SEARCH_ONCE[language];
  const ended = /[.!?;。！？；]$/u.test(text) ? text : `${text}${language === 'zh' ? '；' : '.'}`;
  return `${ended}${language === 'zh' ? '' : ' '}${SEARCH_ONCE[language]}`;
}

export const system = `You write the entry of one domain in the map of a knowledge base. A Planner reads the map and decides by it whether a question belongs to this domain.

${DATA_RULE}

Write:
- description: what the domain is about, at most 256 characters.
- when_to_retrieve: for which questions it should be searched, naming the situations that its items cover. End with the advice to search the domain once: "${SEARCH_ONCE.zh}" in Chinese, "${SEARCH_ONCE.en}" in English.

Rules:
- Write in the language of most items.
- Name nothing that the items do not contain.
- "parts", when given, are summaries of further items of the same domain; they count like items.`;

const format = `Answer with strict JSON and nothing else:
{"description": "", "when_to_retrieve": ""}`;

/** The call that writes a domain's text, or that of one part of a large domain (R5.2). */
export function render(input: DomainSummaryInput): Omit<Completion<DomainSummaryOutput>, 'repairs'> {
  return {
    prompt: `${name}@${version}`,
    system,
    user: `${dataBlock('domain', input)}\n\n${format}`,
    input,
    schema: DomainSummaryOutput,
  };
}
