import { createHash } from 'node:crypto';
import type { MemoryRecord } from '../contracts/memory.ts';
import { months } from '../lib/text/amounts.ts';
import { spaceWords } from './content-words.ts';
import { isKept } from './layers.ts';

/** The first characters (UTF-16 units), never half a surrogate pair. */
export function cutText(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  return text.slice(0, maxCharacters).replace(/[\uD800-\uDBFF]$/, '');
}

/** The key of a text's vectors: 128 bits of SHA-256, as hex. */
export function textKey(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/**
 * Code as a row of words: names are split as their writers did with capitals and underscores
 * (`parseHTTPHeader` becomes `parse HTTP Header`, `max_retry_count` becomes `max retry count`),
 * and signs are dropped. Without it a name is cut into pieces where no word ends.
 */
export function plainCode(text: string): string {
  return text
    .replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ')
    .replace(/[^\p{L}\p{N}'.?]+/gu, ' ')
    .trim();
}

const definition =
  /\b(?:function|class|interface|type|const|let|var|def|fn|func|enum|struct|trait|impl|module|namespace)\s+([A-Za-z_$][\w$]*)/g;
const method =
  /^\s+(?:(?:public|private|protected|static|async|get|set|readonly|override)\s+)*([a-zA-Z_$][\w$]*)\s*\([^)]*\)\s*[:{]/gm;
const comment = /\/\*\*?[\s\S]*?\*\/|\/\/.*|^\s*#.*$/gm;

/**
 * The text of a code vector: its path, the names that it defines and its leading comments, so that
 * an embedder that sees only the beginning sees the subject; then all of it as words.
 */
export function codeText(text: string, source: string): string {
  const path = plainCode(source.replace(/\.\w+$/, ''));
  const names = [...text.matchAll(definition), ...text.matchAll(method)].map(([, name]) => name);
  const comments = text.match(comment) ?? [];
  return [path, plainCode(names.join(' ')), plainCode(comments.join(' ')), plainCode(text)]
    .filter((part) => part !== '')
    .join(' ');
}

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

/**
 * What full-text search looks at for one turn of a conversation: speaker and date in front, the
 * turn's own words twice, then its neighbours. Own words count more that way, and a turn is also
 * found by what it answers; on conversations this raised nDCG@10 from .41 to .50.
 *
 * Time and date are in words and UTC (`11:59 pm on 21 November, 2026`), so that a question can name
 * the month. A turn's vector begins with the same head; it gains from the time, too.
 *
 * @param turn.tsMs milliseconds since the Unix epoch
 * @param turn.previous text of the turn before, at most its first 1,000 characters are taken;
 *   of `next` too, of `text` 4,000. Those of another session are not neighbours: they lower it
 */
export function turnContext(turn: {
  who: string;
  text: string;
  tsMs: number;
  previous?: string;
  next?: string;
}): string {
  const own = cutText(turn.text, maxOwnCharacters);
  const neighbours = [turn.previous, turn.next]
    .filter((text) => text !== undefined)
    .map((text) => cutText(text, maxNeighbourCharacters));
  return [`${turn.who} (${timeWords(turn.tsMs)}):`, own, own, ...neighbours].join(' ');
}

/** The context without the text of a neighbour, which stands behind the turn's own. */
export function withoutNeighbour(
  { text, context }: { text: string; context: string },
  neighbour: string,
): string {
  const end = ` ${cutText(neighbour, maxNeighbourCharacters)}`;
  const rest = context.slice(0, -end.length);
  const isBehind = rest.endsWith(` ${cutText(text, maxOwnCharacters)}`);
  return isBehind && context.endsWith(end) ? rest : context;
}

const maxOwnCharacters = 4_000;
const maxNeighbourCharacters = 1_000;

function timeWords(tsMs: number): string {
  const date = new Date(tsMs);
  const hours = date.getUTCHours();
  const minutes = String(date.getUTCMinutes()).padStart(2, '0');
  const time = `${hours % 12 || 12}:${minutes} ${hours < 12 ? 'am' : 'pm'}`;
  return `${time} on ${date.getUTCDate()} ${months[date.getUTCMonth()]}, ${date.getUTCFullYear()}`;
}
