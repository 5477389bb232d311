import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Ran, type RunOptions, runCuervo } from './run-cuervo.ts';

/** Where one test plays: a workspace and a home of its own, below one temporary folder. */
export type Place = Disposable & {
  /** folder that holds both */
  dir: string;
  work: string;
  home: string;
  /** the command line with this workspace as current folder and this home */
  cuervo(args: readonly string[], options?: Partial<RunOptions>): Promise<Ran>;
  /** writes files below the workspace; makes the folders they need */
  write(files: Files): void;
};

/** path relative to the workspace -> content */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** Makes a place, removed when it is disposed. */
export function openPlace(files: Files = {}): Place {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'cuervo-e2e-')));
  const work = join(dir, 'work');
  const home = join(dir, 'home');
  mkdirSync(work);
  const write = (more: Files): void => writeFiles(work, more);
  write(files);
  return {
    dir,
    work,
    home,
    cuervo: (args, options = {}) => runCuervo(args, { cwd: work, home, ...options }),
    write,
    [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }),
  };
}

function writeFiles(folder: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
}
