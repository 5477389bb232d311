import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeCode } from './write-code.ts';

/** Changes with what is written, so that an older tree is not taken for this one. */
const version = 1;

/** Files in one folder, and folders in one above it. */
const filesPerFolder = 25;
const foldersPerFolder = 20;

/**
 * A tree of source files that looks like a repository, made once and kept in the system's
 * folder for temporary files.
 *
 * @param files 13,000 are about 75 MB
 * @returns the folder
 */
export function generateTree(files: number): string {
  const folder = join(tmpdir(), `cuervo-bench-tree-${version}-${files}`);
  if (existsSync(folder)) return folder;
  const partial = mkdtempSync(`${folder}-partial-`);
  try {
    // What tells ignore rules apart from plain files: only a repository has them.
    mkdirSync(join(partial, '.git'));
    writeFileSync(join(partial, '.git', 'HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(join(partial, '.gitignore'), 'node_modules/\n*.log\n');
    for (let number = 0; number < files; number += 1) {
      const { extension, text } = writeCode(number);
      const place = join(partial, folderOf(number));
      if (number % filesPerFolder === 0) mkdirSync(place, { recursive: true });
      writeFileSync(join(place, `unit-${number}.${extension}`), text);
    }
    renameSync(partial, folder);
  } catch (thrown) {
    rmSync(partial, { recursive: true, force: true });
    // Another bench may have been first; its tree is the same.
    if (!existsSync(folder)) throw thrown;
  }
  return folder;
}

function folderOf(number: number): string {
  const leaf = Math.floor(number / filesPerFolder);
  return join(`part-${Math.floor(leaf / foldersPerFolder)}`, `group-${leaf % foldersPerFolder}`);
}
