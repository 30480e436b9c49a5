import type { FieldName, Fields } from '#lib/core/item.ts';
import { isWrittenIn, type Language, languagesOf } from '#lib/core/language.ts';
import { type Support, supportIn } from '#lib/core/supported-fields.ts';

export type WrittenFields = Pick<Fields, FieldName>;

/** `kept`: what may be used of it; `dropped`: how many labels and sentences may not; `problems`: written for the model. */
export interface Checked<Kept> {
  kept: Kept;
  dropped: number;
  problems: string[];
}

const SENTENCES = ['title', 'summary', 'when_to_retrieve'] as const;
const LABELS = ['keywords', 'covers'] as const;
const SHOWN = 5;

/**
 * Fields that a model wrote, held against the document that they are about: labels, and sentences that name something,
 * which the document does not support are dropped; fields that will not be used (`missing` does not name them) stay
 * (R3.2). `source` is everything that the model was shown of it, `prose` what tells its language.
 */
export function checkFields(
  written: WrittenFields,
  missing: readonly FieldName[],
  source: string,
  prose: string,
): Checked<WrittenFields> {
  const support = supportIn(source);
  const languages = languagesOf(prose);
  const checked: Checked<WrittenFields> = { kept: { ...written }, dropped: 0, problems: [] };
  for (const name of SENTENCES.filter((each) => missing.includes(each))) {
    const read = checkSentences(name, written[name], support, languages);
    checked.kept[name] = read.kept;
    checked.dropped += read.dropped;
    checked.problems.push(...read.problems);
  }
  for (const name of LABELS.filter((each) => missing.includes(each))) {
    const kept = written[name].filter(support.label);
    checked.dropped += written[name].length - kept.length;
    checked.kept[name] = kept;
    if (kept.length === 0)
      checked.problems.push(`"${name}" has nothing that the document contains: use its own words.`);
  }
  return checked;
}

/** A domain's text, held against what it was made from (R5.2). Figures are left: a text may count its items. */
export function checkDomainText<Text extends { description: string; when_to_retrieve: string }>(
  written: Text,
  source: string,
): Checked<Text> {
  const support = supportIn(source);
  const named: Support = {
    ...support,
    strangers: (sentence) => support.strangers(sentence).filter((name) => /\p{L}/u.test(name)),
  };
  const languages = languagesOf(source);
  const description = checkSentences('description', written.description, named, languages);
  const when = checkSentences('when_to_retrieve', written.when_to_retrieve, named, languages);
  return {
    kept: { ...written, description: description.kept, when_to_retrieve: when.kept },
    dropped: description.dropped + when.dropped,
    problems: [...description.problems, ...when.problems],
  };
}

function checkSentences(
  name: string,
  text: string,
  support: Support,
  languages: readonly Language[],
): Checked<string> {
  if (text.trim() === '') return { kept: '', dropped: 0, problems: [`"${name}" is empty.`] };
  const problems: string[] = [];
  const sentences = text.split(SENTENCE_END);
  // A title may be the name of a thing, in whatever language.
  if (!isWrittenIn(text, languages) && !(name === 'title' && support.label(text)))
    problems.push(`"${name}" is not in the language of what it describes.`);
  const strangers = support.strangers(text);
  if (strangers.length > 0)
    problems.push(`"${name}" names what is not there: ${strangers.slice(0, SHOWN).join(', ')}.`);
  // Other sentences are mostly about when to read it; and in another language no word is shared.
  const isForeign = (sentence: string) =>
    name === 'summary' && isWrittenIn(sentence, languages) && support.isForeign(sentence);
  if (strangers.length === 0 && sentences.some(isForeign))
    problems.push(`"${name}" says what is not there: use its own words.`);
  const kept = sentences.filter(
    (sentence) => support.strangers(sentence).length === 0 && !isForeign(sentence),
  );
  const dropped = sentences.length - kept.length;
  return { kept: dropped > 0 ? kept.join('').trim() : text, dropped, problems };
}

/** After the mark: what blank follows it begins the next sentence. */
const SENTENCE_END = /(?<=[。！？；!?;\n])(?=[^。！？；!?;\n])|(?<=\.)(?=\s)/u;
