import { join } from 'node:path';
import { readProjectFile } from '../../config/find-workspace.ts';
import type { Store } from '../../contracts/store.ts';
import type { SourcedText } from '../../contracts/talk.ts';
import { sha256 } from '../../lib/sha256.ts';
import { shortenText } from '../../lib/text/columns.ts';
import { escapeTerminal } from '../../lib/text/escape.ts';
import type { ProjectWords } from '../../talk/talk-ports.ts';

/** Files in which projects say how they want to be worked on. */
const names = ['AGENTS.md', 'CLAUDE.md'] as const;
const maxCharacters = 16 * 1024;
/** Lines that a person sees before they answer. */
const shownLines = 12;

export const noProjectWords: ProjectWords = { words: '', data: [] };

/**
 * Reads what a workspace says to models, and asks a person once for each version whether it may be
 * followed. Whatever the answer is, the words grant nothing.
 */
export async function readProjectWords(ports: {
  workspace: string;
  store: Pick<Store, 'getSetting' | 'setSetting'>;
  /** undefined when no person can be asked */
  askYesNo:
    | ((text: string, options: { signal: AbortSignal }) => Promise<boolean | undefined>)
    | undefined;
  signal: AbortSignal;
}): Promise<ProjectWords> {
  const accepted: string[] = [];
  const data: SourcedText[] = [];
  const seen = new Set<string>();
  for (const name of names) {
    const text = read(join(ports.workspace, name));
    if (text === undefined || text.trim() === '' || seen.has(text)) continue;
    seen.add(text);
    if (await isAgreed(name, text, ports)) accepted.push(`${name}:\n${text}`);
    else data.push({ source: name, text });
  }
  return { words: accepted.join('\n\n'), data };
}

/** Nothing for a link, a pipe or an endless file. */
function read(path: string): string | undefined {
  try {
    return readProjectFile(path)?.slice(0, maxCharacters);
  } catch {
    return undefined;
  }
}

async function isAgreed(
  name: string,
  text: string,
  { workspace, store, askYesNo, signal }: Parameters<typeof readProjectWords>[0],
): Promise<boolean> {
  const digest = sha256(text);
  const key = `project-words:${workspace}:${name}`;
  const before = store.getSetting(key) as { digest?: string; isAgreed?: boolean } | undefined;
  if (before?.digest === digest) return before.isAgreed === true;
  const lines = text.trimEnd().split('\n');
  const more = lines.length > shownLines ? `\n  … ${lines.length - shownLines} more lines` : '';
  const shown = lines
    .slice(0, shownLines)
    .map((line) => `  ${shortenText(escapeTerminal(line), 160)}`);
  const answer = await askYesNo?.(
    `${name} of this project tells a model what to do:\n${shown.join('\n')}${more}\nLet the model follow it? It can allow nothing. With "no" the model sees it as text of a file.`,
    { signal },
  );
  if (answer !== undefined) store.setSetting(key, { digest, isAgreed: answer });
  return answer === true;
}
