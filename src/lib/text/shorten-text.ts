import { columnsOf } from './wrap-text.ts';

/** At most `width` columns of a terminal; what was cut away is shown as `…`. */
export function shortenText(text: string, width: number): string {
  let columns = 0;
  let kept = 0;
  let end = 0;
  for (const character of text) {
    columns += columnsOf(character);
    if (columns > width) return `${text.slice(0, kept)}…`;
    end += character.length;
    if (columns < width) kept = end;
  }
  return text;
}
