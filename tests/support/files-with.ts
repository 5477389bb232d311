import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Place } from './place.ts';

/** A word as files may hold it. Base64 has three, by where the word begins; its ends are cut off. */
function formsOf(word: string): Buffer[] {
  const base64 = [0, 1, 2].map((shift) => {
    const text = Buffer.from(`${' '.repeat(shift)}${word}`).toString('base64');
    return text.slice(shift === 0 ? 0 : 4, Math.floor((shift + word.length) / 3) * 4);
  });
  const plain = [word, word.toUpperCase(), Buffer.from(word).toString('hex'), ...base64];
  return [...plain.map((text) => Buffer.from(text)), Buffer.from(word, 'utf16le')];
}

/** Files of the home that hold the word in any form, or have it in their name. */
export function filesWith({ home }: Place, word: string): string[] {
  const forms = formsOf(word);
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => {
      const bytes = readFileSync(path);
      return path.includes(word) || forms.some((form) => bytes.includes(form));
    })
    .map((path) => path.slice(home.length + 1));
}
