import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ProgramPaths } from '../contracts/config.ts';
import { KernelError } from '../contracts/error.ts';

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
