import { existsSync, realpathSync, rmSync, statSync } from 'node:fs';
import { totalmem } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { KernelError } from '../../contracts/error.ts';
import type { PulledModel } from '../../contracts/output/parse-model.ts';
import { freeBytes, makeFolder } from '../../lib/files/folders.ts';
import { sizeText } from '../../lib/text/amounts.ts';
import { shellWord } from '../../lib/text/escape.ts';
import { checkGguf } from '../../models/llama/check-gguf.ts';
import { digestOfFile, keepDigest } from '../../models/llama/gguf-files.ts';
import { changeBook, readBook } from '../../models/model-book.ts';
import { refuseName } from '../../models/model-commands.ts';
import type { FoundModel } from '../../packages/models/find-model-files.ts';
import type { KernelCore } from '../core.ts';

/** The offer that a person agrees to before the download. */
export type OfferedModel = {
  source: string;
  /** as `--model` takes it afterwards */
  model: string;
  /** where its file comes to lie */
  path: string;
  /** of all its files; undefined where the server does not say */
  bytes: number | undefined;
  /** bytes that an earlier try left */
  hereBytes: number;
  licence: string | undefined;
  /** of its first file; undefined when unknown */
  sha256: string | undefined;
  files: readonly string[];
  /** sentences on what may go wrong */
  warnings: readonly string[];
};

export type PullModelOptions = {
  /** address of a hub or a mirror of it, in place of `models.hub` */
  hub?: string | undefined;
  /** the name to keep it by; made from its file when absent */
  name?: string | undefined;
  /** the SHA-256 that the person has from elsewhere */
  sha256?: string | undefined;
  signal: AbortSignal;
  /** Asks the person. @throws {KernelError} when they do not agree */
  agree(offered: OfferedModel): Promise<void>;
  onProgress(bytes: number, total: number | undefined): void;
};

/** Bytes that stay free beside the model, because the store and the system write too. */
const spareBytes = 256 * 1024 * 1024;

/** Brings a model from a hub or an address, and keeps it by a name. */
export type PullModel = (typed: string, options: PullModelOptions) => Promise<PulledModel>;

export function createPullModel(
  core: Pick<KernelCore, 'config' | 'store' | 'warn' | 'noteRequest'>,
  secretFor: (key: string, origin: string) => Promise<string | undefined>,
): PullModel {
  const { config, warn } = core;

  return async (typed, options) => {
    const { signal } = options;
    if (options.name !== undefined) refuseName(options.name);
    const hub = hubOf(options.hub ?? config.models.hub);
    const { parseModelSource } = await import('../../packages/models/parse-model-source.ts');
    const source = parseModelSource(typed, hub);
    const [
      { openWeb },
      { notedWeb },
      { findModelFiles, hubHeaders, loginHint },
      { pullFile, pulledBytes },
    ] = await Promise.all([
      import('../../packages/registry.ts'),
      import('../../packages/sources/acquire-plugin.ts'),
      import('../../packages/models/find-model-files.ts'),
      import('../../packages/models/pull-file.ts'),
    ]);
    const web = notedWeb(await openWeb(config.environment()), core.noteRequest);
    const token = config.modelKey('HF_TOKEN') ?? (await secretFor('HF_TOKEN', hub.origin));
    const access = { web, hub, token, signal };
    const found = await findModelFiles(source, access);
    const given = withDigest(found, options.sha256);
    const folder = join(config.home, 'models', ...given.folder);
    const paths = given.files.map(({ name }) => join(folder, name));
    const [first] = given.files;
    const [path] = paths;
    if (first === undefined || path === undefined) throw new Error('a model without a file');
    const model = options.name ?? first.name.slice(0, -extname(first.name).length).toLowerCase();
    const isHere = paths.map((each, index) => isWhole(each, given.files[index]?.bytes));
    const bytes = sumOf(given);
    const hereBytes = paths.reduce(
      (sum, each, index) =>
        sum + (isHere[index] === true ? statSync(each).size : pulledBytes(each)),
      0,
    );
    const offered: OfferedModel = {
      source: given.source,
      model,
      path,
      bytes,
      hereBytes,
      licence: given.licence,
      sha256: first.sha256,
      files: given.files.map(({ name }) => name),
      warnings: warningsOf(given, bytes),
    };
    requireRoom(offered, existingParent(config.home));
    await options.agree(offered);
    const store = await core.store();
    makeFolder(folder);
    let done = 0;
    for (const [index, file] of given.files.entries()) {
      const at = paths[index] as string;
      const isKnown = isHere[index] === true && (await isSameFile(at, file.sha256, store));
      if (!isKnown) {
        const digest = await pullFile(file, at, {
          web,
          signal,
          headers: hubHeaders(access),
          login: loginHint({ hub }, given.folder.join('/')),
          onProgress: (came) => options.onProgress(done + came, bytes),
          onCut: warn,
        });
        keepDigest(at, digest, store);
      }
      done += statSync(at).size;
    }
    for (const at of paths) refuseBroken(at);
    const { files, pulled } = readBook(store);
    changeBook(store, {
      files: { ...files, [model]: realpathSync(path) },
      pulled: {
        ...pulled,
        [model]: {
          source: given.source,
          ...(given.licence === undefined ? {} : { licence: given.licence.slice(0, 120) }),
        },
      },
    });
    return { model, path, bytes: done, sha256: await digestOfFile(path, store) };
  };
}

function existingParent(folder: string): string {
  return existsSync(folder) ? folder : existingParent(dirname(folder));
}

function hubOf(text: string): URL {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.search === '') {
    return url;
  }
  throw new KernelError('invalid-argument', `${text} is not the address of a hub`, {
    hint: 'Write one like https://huggingface.co (models.hub, --hub).',
  });
}

/** @throws {KernelError} if the server tells another digest */
function withDigest(found: FoundModel, typed: string | undefined): FoundModel {
  if (typed === undefined) return found;
  const sha256 = typed.toLowerCase().replace(/^sha256:/, '');
  const [file, ...others] = found.files;
  if (!/^[0-9a-f]{64}$/.test(sha256)) {
    throw new KernelError('invalid-argument', `${typed} is no SHA-256`, {
      hint: 'It has 64 characters, 0 to 9 and a to f.',
    });
  }
  if (file === undefined || others.length > 0) {
    throw new KernelError('invalid-argument', '--sha256 is for a model of one file');
  }
  if (file.sha256 !== undefined && file.sha256 !== sha256) {
    throw new KernelError(
      'conflict',
      `${file.name}: ${file.url.origin} says the SHA-256 ${file.sha256.slice(0, 12)}…, and --sha256 is ${sha256.slice(0, 12)}…`,
      { hint: 'Nothing was downloaded. Find out which digest is right.' },
    );
  }
  return { ...found, files: [{ ...file, sha256 }] };
}

function sumOf({ files }: FoundModel): number | undefined {
  return files.every(({ bytes }) => bytes !== undefined)
    ? files.reduce((sum, { bytes = 0 }) => sum + bytes, 0)
    : undefined;
}

function warningsOf({ files }: FoundModel, bytes: number | undefined): string[] {
  const isUnknown = files.some(({ sha256 }) => sha256 === undefined);
  const memory = totalmem();
  return [
    ...(isUnknown
      ? ['its SHA-256 is unknown, so the file cannot be checked; give one with --sha256']
      : []),
    ...(bytes !== undefined && bytes > memory
      ? [
          `it has ${sizeText(bytes)}, and this machine ${sizeText(memory)} of memory: it cannot be used here`,
        ]
      : []),
  ];
}

/** @throws {KernelError} `resource-exhausted` */
function requireRoom({ bytes, hereBytes, source }: OfferedModel, folder: string): void {
  const free = freeBytes(folder);
  if (bytes === undefined || free === undefined) return;
  const needed = bytes - hereBytes + spareBytes;
  if (needed <= free || bytes <= hereBytes) return;
  throw new KernelError(
    'resource-exhausted',
    `${source} needs ${sizeText(needed)} of the disk of ${folder}, and ${sizeText(free)} are free`,
    { hint: 'Make room, choose a smaller file, or use another disk: CUERVO_HOME=DIR cuervo …' },
  );
}

function isWhole(path: string, bytes: number | undefined): boolean {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  return size !== undefined && bytes !== undefined && size === bytes;
}

/** Whether the existing file is the offered one; a file without a digest is downloaded again. */
async function isSameFile(
  path: string,
  sha256: string | undefined,
  settings: Parameters<typeof digestOfFile>[1],
): Promise<boolean> {
  if (sha256 === undefined) return false;
  return (await digestOfFile(path, settings)) === sha256;
}

/** A complete file that is not a model is removed. */
function refuseBroken(path: string): void {
  try {
    checkGguf(path);
  } catch (thrown) {
    rmSync(path, { force: true });
    const { message } = KernelError.from(thrown, 'invalid-argument');
    throw new KernelError('plugin-fault', message, {
      cause: thrown,
      hint: `The file was removed. Take another file or address: cuervo model pull ${shellWord('hf:OWNER/NAME:FILE')}`,
    });
  }
}
