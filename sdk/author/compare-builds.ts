import { hash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { languageOf } from '../languages/language.ts';
import type { Finding } from './judge-plugin.ts';

const left = /^(?:dist|node_modules|target|\.git)$/;

/**
 * Builds a copy of the folder elsewhere and compares: so anybody can check that a binary belongs to
 * its sources.
 */
export async function compareBuilds(
  folder: string,
  first: string,
  build: (copy: string, out: string) => Promise<{ file: string }>,
): Promise<Finding[]> {
  const copy = mkdtempSync(join(tmpdir(), 'cuervo-again-'));
  try {
    cpSync(folder, copy, {
      recursive: true,
      filter: (path) => path === folder || !left.test(basename(path)),
    });
    const packages = join(folder, 'node_modules');
    if (existsSync(packages)) symlinkSync(resolve(packages), join(copy, 'node_modules'));
    const again = await build(copy, join(copy, 'dist', 'again.wasm'));
    const [one, other] = [first, again.file].map((file) => hash('sha256', readFileSync(file)));
    if (one === other)
      return [{ level: 'ok', what: `two builds have one digest, ${one?.slice(0, 12)}` }];
    if (languageOf(folder) === 'python') {
      return [
        {
          level: 'note',
          what: 'two builds have two digests: the toolchain of Python is not reproducible',
          fix: 'Publish the binary that you tested.',
        },
      ];
    }
    return [
      {
        level: 'fix',
        what: `two builds of the same folder have two digests, ${one?.slice(0, 12)} and ${other?.slice(0, 12)}`,
        fix: 'Leave out what differs from build to build: times, random values, absolute paths.',
      },
    ];
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
