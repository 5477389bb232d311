import { mkdtempSync, rmSync } from 'node:fs';
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

/**
 * Asks one question as `cuervo ask` without a model does, with a home of its own, so that
 * no answer remembers another one.
 */
export async function askFiles({ repo, question }: AskQuestion): Promise<AskedFiles> {
  const home = mkdtempSync(join(tmpdir(), 'cuervo-ask-'));
  try {
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
