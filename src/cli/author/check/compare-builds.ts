import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { folderOf } from '../../../../sdk/languages/build-folder.ts';
import { languageOf } from '../../../../sdk/languages/language.ts';
import { sha256 } from '../../../lib/sha256.ts';
import { buildAny } from '../build-any.ts';
import type { CheckOptions, Finding } from './finding.ts';

const left = /^(?:dist|node_modules|target|\.git)$/;

/** Builds the folder again, from a copy elsewhere: whoever has the sources can then see that it is them. */
export async function compareBuilds(options: CheckOptions, first: string): Promise<Finding[]> {
  const folder = folderOf(options.dir);
  const copy = mkdtempSync(join(tmpdir(), 'cuervo-again-'));
  try {
    cpSync(folder, copy, {
      recursive: true,
      filter: (path) => path === folder || !left.test(basename(path)),
    });
    const packages = join(folder, 'node_modules');
    if (existsSync(packages)) symlinkSync(resolve(packages), join(copy, 'node_modules'));
    const again = await buildAny({
      ...options,
      named: copy,
      label: 'building it once more, elsewhere',
      out: join(copy, 'dist', 'again.wasm'),
      fresh: true,
    });
    const [one, other] = [first, again.file].map((file) => sha256(readFileSync(file)));
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
