import type { StepResult } from '../contracts/plan.ts';
import { parseContent } from '../lib/text/parse-json.ts';
import { stemWord } from '../lib/text/words.ts';

/**
 * Keeps, beside other passages, only sections of documents whose heading says what is asked about.
 * They come first, because they explain what code does.
 *
 * @param words of the question
 */
export function headedDocuments(
  results: readonly StepResult[],
  words: readonly string[],
): StepResult[] {
  const documents = results.filter(({ input }) => input.documents === true);
  const explaining = documents.flatMap(({ output, ...result }) => {
    if (output === undefined) return [];
    const { passages } = parseContent(output.content) as { passages: { text: string }[] };
    const headed = passages.filter(({ text }) => isHeaded(text, words));
    const content = JSON.stringify({ passages: headed });
    return headed.length === 0 ? [] : [{ ...result, output: { ...output, content } }];
  });
  return [...explaining, ...results.filter((each) => !documents.includes(each))];
}

/** Words for doing something that name no subject. */
const plainDoing = /^(?:works?|happens?|handled?|done|means?|internally|exactly|under|hood)$/;

function isHeaded(text: string, words: readonly string[]): boolean {
  const [first = '', second = ''] = text.trimStart().split('\n');
  const isHeading = /^\s*(?:#{1,6}|={1,6})\s/.test(first) || /^([=~^"-])\1{2,}\s*$/.test(second);
  const said = new Set((first.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map(stemWord));
  const wanted = words.filter((word) => !plainDoing.test(word));
  return isHeading && wanted.length > 0 && wanted.every((word) => said.has(stemWord(word)));
}
