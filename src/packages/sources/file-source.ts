import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { KernelError } from '../../contracts/error.ts';
import { withTypedPath } from '../../lib/files/read-file.ts';
import { fileProof, maxProofBytes, packageProofs, proofSuffixes } from './parse-proof-file.ts';
import type { FetchedPlugin, Proof } from './parse-source.ts';

/**
 * Reads a `.wasm`, the one of a folder, or the one of a packed npm package, with what lies beside it
 * to say who vouches for it.
 *
 * @param typed as the person named it, for messages
 * @throws {KernelError} `not-found`, `invalid-argument` for a folder with none or several,
 *   `plugin-fault` for one that is too large
 */
export async function readFromFile(
  typed: string,
  path: string,
  maxBytes: number,
): Promise<FetchedPlugin> {
  const file = findFile(typed, path);
  const { size } = statSync(file);
  const isPacked = /\.t(?:ar\.)?gz$/.test(file);
  if (size > maxBytes * (isPacked ? 2 : 1)) {
    throw new KernelError('plugin-fault', `${typed} has ${size} bytes, limit ${maxBytes}`, {
      hint: 'Strip what it does not need to run: wasm-tools strip FILE.wasm -o SMALLER.wasm',
    });
  }
  const read = withTypedPath(file, () => readFileSync(file));
  const stale = staleNote(file);
  const notes = stale === undefined ? [] : [stale];
  const common = { source: path, base: path, resolved: file, notes };
  if (isPacked) {
    // Loaded on demand, since few plugins come packed.
    const { pluginOfTarball } = await import('./npm-source.ts');
    const { bytes, files, path: inside } = pluginOfTarball(read, typed, maxBytes);
    return { ...common, bytes, proofs: packageProofs(files, inside) };
  }
  return { ...common, bytes: read, proofs: proofsBeside(file) };
}

function findFile(typed: string, path: string): string {
  const found = withTypedPath(typed, () => statSync(path, { throwIfNoEntry: false }));
  if (found === undefined) {
    throw new KernelError('not-found', `there is no file ${typed}`, {
      hint: 'Name a .wasm file; cuervo plugin build DIR makes one.',
    });
  }
  if (found.isFile()) return path;
  if (!found.isDirectory()) {
    throw new KernelError('invalid-argument', `${typed} is not a file`, {
      hint: 'Name a .wasm file; cuervo plugin build DIR makes one of a folder.',
    });
  }
  const inside = [path, join(path, 'dist')].map(wasmFiles).find((files) => files.length > 0) ?? [];
  const [one] = inside;
  if (one !== undefined && inside.length === 1) return one;
  if (one === undefined) {
    throw new KernelError(
      'invalid-argument',
      `${typed} is a folder without a .wasm in it or in its dist`,
      {
        hint: `Make one with: cuervo plugin build ${typed}`,
      },
    );
  }
  throw new KernelError(
    'invalid-argument',
    `${typed} is a folder with ${inside.length} .wasm files`,
    {
      hint: `Name one of them: cuervo plugin install ${one}`,
    },
  );
}

function wasmFiles(folder: string): string[] {
  if (!(statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false)) return [];
  const names = readdirSync(folder, { withFileTypes: true });
  return names
    .filter((entry) => entry.name.endsWith('.wasm') && !entry.isDirectory())
    .map(({ name }) => join(folder, name));
}

function proofsBeside(file: string): Proof[] {
  return proofSuffixes.flatMap((suffix) => {
    const beside = `${file}${suffix}`;
    const found = statSync(beside, { throwIfNoEntry: false });
    if (!found?.isFile()) return [];
    if (found.size > maxProofBytes) return [fileProof(Buffer.alloc(maxProofBytes + 1), beside)];
    return [fileProof(readFileSync(beside), beside)];
  });
}

const sources = /\.(?:ts|js|mjs|rs|go|c|h|py)$|^(?:plugin|Cargo)\.toml$|^go\.mod$/;

/** @returns a source file in an author's folder that is newer than the built binary */
export function newerSource(folder: string, file: string): string | undefined {
  const built = statSync(file).mtimeMs;
  return ['.', 'src']
    .filter((below) => existsSync(join(folder, below)))
    .flatMap((below) => readdirSync(join(folder, below)).map((name) => join(below, name)))
    .filter((path) => sources.test(basename(path)) && !/\.(?:cases|test)\./.test(path))
    .find(
      (path) => (statSync(join(folder, path), { throwIfNoEntry: false })?.mtimeMs ?? 0) > built,
    );
}

/** A note if a binary in an author's `dist` is older than its sources. */
function staleNote(file: string): string | undefined {
  const folder = dirname(dirname(file));
  const changed = basename(dirname(file)) === 'dist' ? newerSource(folder, file) : undefined;
  if (changed === undefined) return undefined;
  return `${changed} is newer than dist/${basename(file)}: build it with cuervo plugin build`;
}
