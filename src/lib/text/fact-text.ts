import { shortenText } from './shorten-text.ts';

const maxCharacters = 160;

/** The words of a fact on one line, as answers quote them. */
export function factText(text: string): string {
  return shortenText(text.replace(/\s+/g, ' '), maxCharacters);
}
