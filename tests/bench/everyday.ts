import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openKernel } from 'cuervo';

/** Rows of the first screen: 24 lines of 80 columns. */
const screenRows = 24;

/** A question of every day; a screen that answers it holds all of these texts. */
type EverydayQuestion = { repo: string; kind: string; question: string; screen: string[] };

export type EverydayLine = { name: string; value: number; runs: number };

/**
 * Asks the questions of one half, and counts those whose answer is on the first screen. Odd lines
 * of the file are for tuning, even ones are reported.
 *
 * @param tell called with each question, its first screen and what is missing there
 * @returns a line for each kind of question and one for all; questions whose folder is not on this
 *   machine are left out
 */
export async function measureEveryday(
  root: string,
  half: 'tune' | 'report',
  tell: (asked: EverydayQuestion, screen: string, missing: readonly string[]) => void = () => {},
): Promise<EverydayLine[]> {
  const file = join(root, 'tests/bench/questions/everyday.jsonl');
  const all = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as EverydayQuestion)
    .filter((_, index) => (index % 2 === 0) === (half === 'tune'));
  const kinds = new Map<string, { hits: number; runs: number }>();
  for (const asked of all) {
    const folder = folderOf(root, asked.repo);
    if (folder === undefined) continue;
    const screen = await firstScreen(folder, asked.question);
    const missing = asked.screen.filter((text) => !screen.includes(text));
    tell(asked, screen, missing);
    for (const name of [asked.kind, 'all']) {
      const count = kinds.get(name) ?? { hits: 0, runs: 0 };
      kinds.set(name, { hits: count.hits + (missing.length === 0 ? 1 : 0), runs: count.runs + 1 });
    }
  }
  return [...kinds]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([name, { hits, runs }]) => ({ name: `everyday.${name}.${half}`, value: hits, runs }));
}

async function firstScreen(workspace: string, question: string): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'cuervo-everyday-'));
  try {
    await using kernel = await openKernel({ home, workspace, model: 'none' });
    const { signal } = new AbortController();
    for await (const event of kernel.ask(question, { signal })) {
      if (event.type === 'answer') return event.text.split('\n', screenRows).join('\n');
      if (event.type === 'error') return `error: ${event.message}`;
    }
    return '';
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

const found = new Map<string, string | undefined>();

/** `python:NAME` is a package of the machine's Python, `go:PATH` one of Go's own. */
function folderOf(root: string, repo: string): string | undefined {
  if (!found.has(repo)) found.set(repo, findFolder(root, repo));
  return found.get(repo);
}

function findFolder(root: string, repo: string): string | undefined {
  const [scheme, name = ''] = repo.split(':');
  try {
    if (scheme === 'python')
      return execFileSync('python3', ['-c', `import ${name}; print(${name}.__path__[0])`], {
        encoding: 'utf8',
      }).trim();
    if (scheme === 'go')
      return join(execFileSync('go', ['env', 'GOROOT'], { encoding: 'utf8' }).trim(), 'src', name);
  } catch {
    return undefined;
  }
  const folder = resolve(root, repo);
  return existsSync(folder) ? folder : undefined;
}
