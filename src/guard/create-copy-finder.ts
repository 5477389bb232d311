import { bareText } from './mapped-text.ts';

/** So many letters and digits of what was read, one after the other, are no accident. */
const minCopied = 24;
/** Pieces that are kept of what was read: one begins at each `step`, so one lies in every copy. */
const pieceLength = 16;
const step = minCopied - pieceLength;

/** The texts read in a run, to see whether another text copies from them. */
export type CopyFinder = {
  add(text: string): void;
  /** whether letters and digits hold a copy of what was read */
  holds(bare: string): boolean;
};

export function createCopyFinder(): CopyFinder {
  const texts: string[] = [];
  const pieces = new Set<string>();
  const isRead = (copy: string): boolean => texts.some((text) => text.includes(copy));
  return {
    add: (text) => {
      const bare = bareText(text);
      if (bare.length < minCopied) return;
      texts.push(bare);
      for (let at = 0; at + pieceLength <= bare.length; at += step)
        pieces.add(bare.slice(at, at + pieceLength));
    },
    holds: (bare) => {
      for (let at = 0; at + pieceLength <= bare.length; at += 1) {
        if (!pieces.has(bare.slice(at, at + pieceLength))) continue;
        for (let from = Math.max(0, at - step); from <= at; from += 1) {
          const copy = bare.slice(from, from + minCopied);
          if (copy.length === minCopied && isRead(copy)) return true;
        }
      }
      return false;
    },
  };
}
