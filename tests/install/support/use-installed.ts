import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type Outcome = { status: number | null; stdout: string; stderr: string };

/** Starts an installed cuervo with these words. */
export type Cuervo = (words: readonly string[]) => Outcome;

/** The smallest of the test models; see CONTRIBUTING.md. */
const models = process.env.CUERVO_TEST_MODELS;
const stories = models === undefined ? '' : join(models, 'stories260K/stories260K.gguf');
export const storyModel = existsSync(stories) ? stories : undefined;

/** A folder with one file to ask about. */
export function makeWorkspace(folder: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'limits.ts'), 'export const retryLimit = 3;\n');
  return folder;
}

/** @param start program and words in front of those of cuervo */
export function cuervoAt(
  [program = '', ...first]: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv; timeoutMs?: number },
): Cuervo {
  const { cwd, env, timeoutMs: timeout = 120_000 } = options;
  return (words) =>
    spawnSync(program, [...first, ...words], { cwd, env, encoding: 'utf8', timeout });
}

/** What an installed cuervo has to do: the words, and what it prints. */
export function uses(): { name: string; words: readonly string[]; prints: RegExp }[] {
  const question = 'where is the retry limit set?';
  const asked = [
    { name: 'says its version', words: ['--version'], prints: /^\d+\.\d+\.\d+\n$/ },
    { name: 'asks', words: ['ask', question], prints: /limits\.ts[\s\S]*retryLimit = 3/ },
    {
      name: 'runs a plugin',
      words: ['run', 'search.grep', '{"pattern":"retryLimit"}'],
      prints: /limits\.ts/,
    },
    { name: 'remembers', words: ['ask', 'remember that releases are late'], prints: /Remembered/ },
    // Looks in the tables of LanceDB.
    { name: 'recalls', words: ['memory', 'search', 'releases'], prints: /releases are late/ },
  ];
  if (storyModel === undefined) return asked;
  const words = ['ask', '--model', storyModel, '--json', question];
  return [...asked, { name: 'answers with a GGUF', words, prints: /"mode":"model"/ }];
}
