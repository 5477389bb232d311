import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKernel } from 'cuervo';
import type { AskQuestion } from './ask-questions.ts';

export type AskedFiles = {
  /** distinct files of the evidence, best first */
  files: string[];
  /** time of the whole question */
  durationMs: number;
  /** why there is no evidence */
  error?: string;
};

/** Homes with an index of a folder each, made by the first question about it. The caller owns it. */
export type IndexedHomes = Disposable & { of(repo: string): Promise<string> };

/** @param embedder a folder with a sentence model; absent: the embedder that comes along */
export function openIndexedHomes(embedder: string | undefined): IndexedHomes {
  const folder = mkdtempSync(join(tmpdir(), 'cuervo-ask-index-'));
  const homes = new Map<string, Promise<string>>();
  const make = async (repo: string, number: number): Promise<string> => {
    const home = join(folder, String(number));
    mkdirSync(home);
    if (embedder !== undefined) {
      writeFileSync(
        join(home, 'config.toml'),
        `[memory]\nembedder = ${JSON.stringify(embedder)}\n`,
      );
    }
    await using kernel = await openKernel({ home, workspace: repo, model: 'none' });
    await kernel.index.update({ signal: new AbortController().signal });
    return home;
  };
  return {
    of: (repo) => {
      const home = homes.get(repo) ?? make(repo, homes.size);
      homes.set(repo, home);
      return home;
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/**
 * Asks one question as `cuervo ask` without a model does, with a home of its own, so that
 * no answer remembers another one.
 *
 * @param indexed a home with an index, which is copied
 */
export async function askFiles(
  { repo, question }: AskQuestion,
  indexed?: string,
): Promise<AskedFiles> {
  const home = mkdtempSync(join(tmpdir(), 'cuervo-ask-'));
  try {
    if (indexed !== undefined) cpSync(indexed, home, { recursive: true });
    const startedMs = performance.now();
    const { files, error } = await evidenceOf(home, repo, question);
    const durationMs = performance.now() - startedMs;
    return { files, durationMs, ...(error === undefined ? {} : { error }) };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

async function evidenceOf(
  home: string,
  workspace: string,
  question: string,
): Promise<{ files: string[]; error?: string }> {
  await using kernel = await openKernel({ home, workspace, model: 'none' });
  const files = new Set<string>();
  let error: string | undefined;
  for await (const event of kernel.ask(question)) {
    if (event.type === 'answer') for (const { path } of event.evidence) files.add(path);
    if (event.type === 'error') error = event.message;
  }
  return { files: [...files], ...(error === undefined ? {} : { error }) };
}
