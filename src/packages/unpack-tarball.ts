import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { extract, list } from 'tar';
import { KernelError } from '../contracts/error.ts';
import { hashFile } from '../lib/files/read-file.ts';

/** A link would be a way out of the folder; npm packs none. */
const plain = new Set(['File', 'OldFile', 'ContiguousFile']);

export type TarballRules = {
  /** for messages: the package, with its version */
  name: string;
  /** which files are wanted, by their paths below the package */
  keeps(path: string): boolean;
  /** of all files that are wanted */
  maxBytes: number;
};

export type Listed = { paths: string[]; bytes: number };

/**
 * Looks through a tarball before anything of it is written.
 *
 * @throws {KernelError} `plugin-fault` for an entry that is not a plain file or folder below one
 *   folder, or more bytes than `rules.maxBytes`
 */
export async function listTarball(tarball: string, rules: TarballRules): Promise<Listed> {
  const paths = new Set<string>();
  let bytes = 0;
  let fault: string | undefined;
  await list({
    file: tarball,
    strict: true,
    onReadEntry: ({ path, type, size }) => {
      const inside = pathInside(path);
      if (inside === undefined) fault ??= `${path} is outside of the package`;
      else if (type !== 'Directory') {
        if (!plain.has(type)) fault ??= `${path} is a ${type}`;
        if (paths.has(inside)) fault ??= `${path} is there twice`;
        if (!rules.keeps(inside)) return;
        paths.add(inside);
        bytes += size;
      }
    },
  }).catch((thrown: Error) => {
    fault ??= thrown.message;
  });
  if (bytes > rules.maxBytes) fault ??= `${bytes} bytes in it, limit ${rules.maxBytes}`;
  if (fault === undefined) return { paths: [...paths], bytes };
  throw new KernelError('plugin-fault', `the tarball of ${rules.name} is refused: ${fault}`, {
    hint: 'None of it was kept.',
  });
}

/**
 * Unpacks what is wanted of a tarball into a new folder. No script of the package runs.
 *
 * @returns path below the package -> SHA-256, hex
 * @throws as `listTarball`, and what the file system says
 */
export async function unpackTarball(
  tarball: string,
  folder: string,
  rules: TarballRules,
): Promise<Map<string, string>> {
  const { paths } = await listTarball(tarball, rules);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await extract({
    file: tarball,
    cwd: folder,
    strip: 1,
    strict: true,
    umask: 0o077,
    filter: (path) => paths.includes(pathInside(path) ?? ''),
  });
  const files = new Map<string, string>();
  for (const path of paths)
    files.set(path, (await hashFile(join(folder, path), 'sha256')).digest('hex'));
  return files;
}

/** @returns what stands behind the first folder; undefined for what could leave the package */
export function pathInside(path: string): string | undefined {
  const [first = '', ...names] = path.replace(/\/$/, '').split('/');
  const all = [first, ...names];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no package needs them
  if (all.some((name) => name === '' || name === '..' || /[\\:\u0000-\u001f]/.test(name)))
    return undefined;
  return names.filter((name) => name !== '.').join('/');
}
