import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { KeepComponent } from '../../../sdk/build/componentize.ts';
import { exposedPart } from '../../lib/files/exposed-part.ts';
import { makeFolder } from '../../lib/files/folders.ts';
import { writeFileWhole } from '../../lib/files/write-file-whole.ts';
import { sha256 } from '../../lib/sha256.ts';

/** Enough for some fifty components. */
const maxBytes = 100 * 1024 * 1024;
/** Hexadecimal digits that a file begins with. */
const digestLength = 64;

/**
 * Keeps components that the engine's tool made, since it compiles the whole engine each time. A
 * file is named by the digest of its inputs, and begins with the digest of its content.
 *
 * @param folder closed to other users: its files become part of plugins
 * @param tool digest of the tool itself
 */
export function keptComponents(folder: string, tool: string): KeepComponent {
  return async (inputs, make) => {
    const file = join(folder, sha256([tool, ...inputs.map(sha256)].join('\n')));
    const kept = read(file);
    if (kept !== undefined) return kept;
    const made = await make();
    try {
      makeFolder(folder);
      writeFileWhole(file, Buffer.concat([Buffer.from(sha256(made)), made]), { flush: false });
      prune(folder);
    } catch {
      // A full disk or a read-only home prevents only the caching, not the build.
    }
    return made;
  };
}

/** Undefined where it is missing, damaged, or where others could have put it. */
function read(file: string): Uint8Array | undefined {
  try {
    if (!existsSync(file) || exposedPart(file) !== undefined) return undefined;
    const bytes = readFileSync(file);
    const kept = bytes.subarray(digestLength);
    if (sha256(kept) !== bytes.toString('latin1', 0, digestLength)) return undefined;
    const now = new Date();
    utimesSync(file, now, now);
    return kept;
  } catch {
    return undefined;
  }
}

/** Drops what was used longest ago. */
function prune(folder: string): void {
  const files = readdirSync(folder).map((name) => {
    const path = join(folder, name);
    const { size, mtimeMs } = statSync(path);
    return { path, size, mtimeMs };
  });
  let left = maxBytes;
  for (const { path, size } of files.toSorted((one, other) => other.mtimeMs - one.mtimeMs)) {
    left -= size;
    if (left < 0) rmSync(path, { force: true });
  }
}
