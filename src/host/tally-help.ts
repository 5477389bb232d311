import { effectAllows } from '../contracts/effect-allows.ts';
import type { Effect } from '../contracts/tool.ts';
import { fsLimits } from './below/fs-limits.ts';
import type { Reply } from './plugin-process.ts';
import {
  blockLines,
  encodeKnownWindows,
  type KnownQuestion,
  knownCall,
} from './protocol/known-windows.ts';
import type { RequestMessage } from './protocol/messages.ts';
import { countWindows } from './words/count-windows.ts';
import { openWordFile } from './words/word-file.ts';

/** Where the words of folders were counted. */
export type KnownWords = {
  /** of a folder, absolute; undefined where nothing is kept */
  fileOf(folder: string): string | undefined;
  /** digest of what is left out now; a file that was written by other rules says nothing */
  rules: string;
};

/** What one call may have answered. */
export type TallyGate = {
  words: KnownWords;
  /** granted: name -> absolute folder */
  roots: Readonly<Record<string, string>>;
  effect: Effect;
  denied: Readonly<Record<string, string>>;
  signal: AbortSignal;
};

export type TallyHelp = {
  /** roots for which there may be an answer */
  known: string[];
  /** undefined for any other request */
  serve(request: RequestMessage): Promise<Reply> | undefined;
};

/** Answers of one call; each takes the kernel's time, and a tool needs one or two. */
const maxAnswers = 8;

/**
 * Tells a plugin process of words in files that it could read itself: they lie in a root that it was
 * granted, none of them is withheld, and each is as it was when its words were counted.
 */
export function createTallyHelp(gate: TallyGate): TallyHelp {
  const { words, roots, effect, denied, signal } = gate;
  const isAllowed = denied.fs === undefined && effectAllows(effect, 'fs.tally');
  const files = new Map<string, string>();
  for (const [root, folder] of isAllowed ? Object.entries(roots) : []) {
    const file = words.fileOf(folder);
    if (file !== undefined) files.set(root, file);
  }
  let answered = 0;

  async function answer(asked: unknown): Promise<Reply> {
    if (!isQuestion(asked) || answered >= maxAnswers) return nothing;
    answered += 1;
    const path = files.get(asked.root);
    const folder = roots[asked.root];
    if (path === undefined || folder === undefined) return nothing;
    try {
      using file = openWordFile(path);
      if (file === undefined || file.rules !== words.rules) return nothing;
      const known = await countWindows(file, folder, asked, { signal });
      return known === undefined ? nothing : { value: true, parts: encodeKnownWindows(known) };
    } catch {
      // Whatever is wrong with the file, the process reads those of the tree itself.
      return nothing;
    }
  }

  return {
    known: [...files.keys()],
    serve: ({ call, args }) => (call === knownCall ? answer(args[0]) : undefined),
  };
}

const nothing: Reply = { value: false };

/** It comes from a plugin process, which may be broken. */
function isQuestion(asked: unknown): asked is KnownQuestion {
  if (typeof asked !== 'object' || asked === null) return false;
  const { root, start, words, window, step } = asked as Record<string, unknown>;
  return (
    typeof root === 'string' &&
    typeof start === 'string' &&
    start.length <= fsLimits.pathBytes &&
    Array.isArray(words) &&
    words.length <= fsLimits.words &&
    words.every(isWord) &&
    isBlocks(window) &&
    isBlocks(step)
  );
}

function isWord(word: unknown): boolean {
  return typeof word === 'string' && word !== '' && word.length <= fsLimits.wordCharacters;
}

function isBlocks(lines: unknown): boolean {
  return (
    Number.isInteger(lines) &&
    (lines as number) > 0 &&
    (lines as number) <= fsLimits.windowLines &&
    (lines as number) % blockLines === 0
  );
}
