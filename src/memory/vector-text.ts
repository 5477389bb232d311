import type { MemoryRecord } from '../contracts/memory.ts';
import { codeText } from './code-text.ts';
import { spaceWords } from './content-words.ts';
import { cutText } from './cut-text.ts';
import { isKept } from './kinds.ts';

/** Characters of a text that are used; more hardly turn its vector. */
const maxCharacters = 8_000;
const speakerAndDate = /^[^()\n]{1,80} \([^()\n]{1,60}\): /;

/**
 * The text of a row's vector: `speaker (date): text` of the single turn, or the text alone for
 * facts and texts without a speaker; for code see `codeText()`. Neighbours help full-text search,
 * but would blur the vector.
 */
export function vectorText(
  record: Pick<MemoryRecord, 'text' | 'context' | 'kind' | 'source'>,
): string {
  const text = cutText(record.text, maxCharacters);
  if (record.kind === 'code') return codeText(text, record.source ?? '');
  // of a short sentence, speaker and date would be most of the vector
  if (isKept(record)) return text;
  const head = speakerAndDate.exec(record.context)?.[0] ?? '';
  const start = spaceWords(cutText(record.text, 40)).trim().slice(0, 20);
  const own = record.context.slice(head.length).trimStart();
  return own.startsWith(start) ? head + text : text;
}
