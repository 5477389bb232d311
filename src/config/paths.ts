import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Where the installed program keeps its parts. */
export type ProgramPaths = {
  /** folder of package.json */
  root: string;
  /** built bundles */
  dist: string;
  /** the built-in plugins and their lock */
  builtins: string;
  /** the tables of word vectors that need no download: of texts, and of code */
  embedder: string;
  codeEmbedder: string;
  /** tables of the rules on programs */
  rules: string;
  /** contexts and prices of models of providers that do not say */
  models: string;
  sdk: string;
  wit: string;
};

/** Found from this file, whether it runs as a source or inside a bundle. */
export function programPaths(): ProgramPaths {
  let root = import.meta.dirname;
  while (!existsSync(join(root, 'wit'))) root = dirname(root);
  return {
    root,
    dist: join(root, 'dist'),
    builtins: join(root, 'dist', 'builtin'),
    embedder: join(root, 'dist', 'static-embedder.ste'),
    codeEmbedder: join(root, 'dist', 'code-embedder.ste'),
    rules: join(root, 'src', 'policy', 'rules', 'shipped'),
    models: join(root, 'src', 'models', 'shipped', 'models.toml'),
    sdk: join(root, 'sdk'),
    wit: join(root, 'wit'),
  };
}

/** Where `cuervo add` puts the parts that cuervo is installed without. */
export function packagesFolder(home: string): string {
  return join(home, 'packages');
}

export function programVersion(paths: ProgramPaths): string {
  const { version } = JSON.parse(readFileSync(join(paths.root, 'package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}
