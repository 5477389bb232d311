import { posix } from 'node:path';
import type { SourceFile } from './source-files.ts';

export type Import = {
  /** a path relative to the root of the repository, or the name of a package or built-in */
  to: string;
  inside: boolean;
  /** erased before anything runs */
  typeOnly: boolean;
};

const statement =
  /^[ \t]*(?:import\s*['"]|(?:import|export)\b(?<what>[^;'"`=(]*?)\bfrom\s*['"])(?<name>[^'"\n]+)['"]/gm;
const call = /\b(?:import|require)\(\s*['"](?<name>[^'"\n]+)['"]/g;

/** Everything that a module names in an import, static or dynamic, types included. */
export function readImports({ path, text }: SourceFile): Import[] {
  const code = text.replace(/^[ \t]*\/\*[\s\S]*?\*\//gm, '').replace(/^[ \t]*\/\/.*$/gm, '');
  const found = [...code.matchAll(statement), ...code.matchAll(call)];
  return found.map(({ groups = {} }) => {
    const name = groups.name ?? '';
    const inside = name.startsWith('.');
    return {
      to: inside ? posix.join(posix.dirname(path), name) : name,
      inside,
      typeOnly: /^\s*type\b/.test(groups.what ?? ''),
    };
  });
}
