import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** A file of the repository; `path` is relative to its root, with `/`. */
export type SourceFile = { path: string; text: string };

const root = resolve(import.meta.dirname, '../..');

/**
 * Paths of all files that git tracks or would add, relative to the root.
 *
 * @param at root of the clone to read; this one unless named
 */
export function repositoryFiles(at = root): string[] {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const listed = execFileSync('git', args, { cwd: at, encoding: 'utf8' });
  // A file that was moved and not yet committed is still listed under its old name.
  return listed.split('\0').filter((path) => path !== '' && existsSync(join(at, path)));
}

export function sourceFile(path: string, at = root): SourceFile {
  return { path, text: readFileSync(join(at, path), 'utf8') };
}
