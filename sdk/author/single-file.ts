import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, resolve } from 'node:path';
import { checkOutput } from '../build/check-output.ts';
import { writeOutput } from '../build/write-output.ts';

const relativeImport = /(\bfrom\s*|\bimport\s*\(?\s*)(['"])(\.{1,2}\/[^'"\n]*)\2/g;

/**
 * One file of JavaScript or TypeScript as the folder that a build takes. Its relative imports lead
 * where they led, and its packages are found.
 *
 * @param folder empty
 */
export function copyAsPlugin(file: string, folder: string): void {
  const from = dirname(file);
  const text = readFileSync(file, 'utf8').replace(
    relativeImport,
    (_, before: string, quote: string, path: string) =>
      `${before}${quote}${resolve(from, path)}${quote}`,
  );
  writeFileSync(join(folder, `plugin${extname(file)}`), text);
  const packages = nearestPackages(from);
  if (packages !== undefined) symlinkSync(packages, join(folder, 'node_modules'));
}

function nearestPackages(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const found = join(at, 'node_modules');
    if (existsSync(found)) return found;
    if (dirname(at) === at) return undefined;
  }
}

/** @throws {BuildError} when `to` is something other than a binary */
export function moveOutput(made: string, to: string): string {
  checkOutput(to);
  writeOutput(to, readFileSync(made));
  return to;
}
