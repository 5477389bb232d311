import { months } from '../lib/text/amounts.ts';
import { cutText } from './cut-text.ts';

/**
 * What full-text search looks at for one turn of a conversation: speaker and date in front, the
 * turn's own words twice, then its neighbours. Own words count more that way, and a turn is also
 * found by what it answers; on conversations this raised nDCG@10 from .41 to .50.
 *
 * Time and date are in words and UTC (`11:59 pm on 21 November, 2026`), so that a question can name
 * the month. The same head is what a turn's vector begins with, which gains from the time, too.
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
