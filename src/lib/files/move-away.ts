import { shellWord } from '../text/shell-word.ts';

/** The command that makes room for a new file or folder and loses nothing of the one that is there. */
export function moveAway(path: string, ending: 'old' | 'damaged' = 'old'): string {
  return `mv ${shellWord(path)} ${shellWord(`${path}.${ending}`)}`;
}
