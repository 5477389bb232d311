import { existsSync, mkdtempSync, readFileSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ProgramPaths } from '../contracts/config.ts';
import { KernelError } from '../contracts/error.ts';
import { makeFolder } from '../lib/files/folders.ts';

/** Found from this file, whether it runs as a source or inside a bundle. */
export function programPaths(): ProgramPaths {
  const root = programRoot(import.meta.dirname);
  return {
    root,
    dist: join(root, 'dist'),
    builtins: join(root, 'dist', 'builtin'),
    embedder: join(root, 'dist', 'static-embedder.ste'),
    codeEmbedder: join(root, 'dist', 'code-embedder.ste'),
    rules: join(root, 'src', 'policy', 'rules', 'shipped'),
    skills: join(root, 'src', 'skills', 'shipped'),
    models: join(root, 'src', 'models', 'shipped', 'models.toml'),
    sdk: join(root, 'sdk'),
    wit: join(root, 'wit'),
  };
}

/** Sources and bundles lie no deeper; folders further up are somebody else's. */
const maxLevels = 3;

/**
 * The folder of the program, in which a file of it lies.
 *
 * @param folder of that file
 * @throws {KernelError} `unavailable` where the program is not whole
 */
export function programRoot(folder: string): string {
  let root = folder;
  for (let level = 0; level < maxLevels; level += 1) {
    if (existsSync(join(root, 'wit'))) return root;
    root = dirname(root);
  }
  const message = `cuervo in ${folder} is not whole: the folder "wit" above it is missing`;
  throw new KernelError('unavailable', message, {
    hint: 'Install it again, as docs/install.md shows; a part of it alone cannot run.',
  });
}

/** The folder of `cuervo add`, for parts that the package leaves out. */
export function packagesFolder(home: string): string {
  return join(home, 'packages');
}

export function programVersion(paths: ProgramPaths): string {
  const { version } = JSON.parse(readFileSync(join(paths.root, 'package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}

/**
 * Where the folder for temporary files cannot be written, that of this process becomes one in the
 * home. Node and native code then have the same: they read different variables otherwise.
 *
 * @param home `CUERVO_HOME`
 */
export function useTempFolder(home: string): void {
  if (process.platform === 'win32') return; // both ask the system
  const { TMPDIR: named } = process.env;
  const given = tmpdir();
  const own = join(home, 'tmp');
  if (isUsable(given)) {
    if (given !== (named ?? systemFolder)) process.env.TMPDIR = given;
    return;
  }
  try {
    makeFolder(own);
    process.env.TMPDIR = own;
  } catch {
    // Ignored: the code that needs a temporary folder reports it.
  }
}

const systemFolder = '/tmp';

/**
 * LanceDB ends the whole process where it cannot make a temporary folder. Call this before it is
 * loaded.
 *
 * @throws {KernelError} `unavailable`
 */
export function requireTempFolder(): void {
  const folder = process.platform === 'win32' ? tmpdir() : (process.env.TMPDIR ?? systemFolder);
  if (isUsable(folder)) return;
  const message = `no temporary folder can be made in "${folder}" (TMPDIR), which memory needs`;
  throw new KernelError('unavailable', message, {
    hint: 'Name a folder that you can write to: TMPDIR=DIR cuervo …',
  });
}

/** Makes a folder as a test: access rights do not show a full or unwritable disk. */
function isUsable(folder: string): boolean {
  try {
    rmdirSync(mkdtempSync(join(folder, 'cuervo-')));
    return true;
  } catch {
    return false;
  }
}
