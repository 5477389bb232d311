import * as host from 'cuervo:host/fs@0.1.0';
import { HostError, type HostErrorCode, hostCall } from '../host-error.ts';
import { asFlag, asNumber, asText, asTexts } from './argument.ts';
import { decodeText, type TextEncoding } from './decode-text.ts';
import { notebookText } from './notebook-text.ts';

export type {
  End,
  Entry,
  Kind,
  ScanMatch,
  ScanResult,
  TallyResult,
  TallyWindow,
  TextFile,
} from 'cuervo:host/fs@0.1.0';

/** Bytes that `readText` takes at most when nothing is said. */
const defaultMaxBytes = 1024 * 1024;
/** Bytes that the host gives at most in one part. */
const maxPartBytes = 4 * 1024 * 1024;

/** Files that `scan` and `tally` look into: what ends them is the time of the call. */
const noLimit = 0xffff_ffff;

/** A text of any encoding: `hash` where it is UTF-8, `encoding` where it is not. */
export type AnyText = Pick<host.TextFile, 'text' | 'truncated'> & {
  hash?: string;
  encoding?: TextEncoding;
};

/** Options of `walk`, `scan` and `tally` that may be left out. */
export type WalkOptions = Partial<host.WalkOptions>;
export type ScanOptions = Omit<Partial<host.ScanOptions>, 'walk'> & {
  pattern: string;
  walk?: WalkOptions;
};
export type TallyOptions = Omit<Partial<host.TallyOptions>, 'walk'> & {
  words: readonly string[];
  walk?: WalkOptions;
};

/** An undefined option counts as left out, as everywhere below. */
function walkOptions(call: string, options: WalkOptions = {}, most = 10_000): host.WalkOptions {
  const { include = [], exclude = [], ignoreFiles = true, hidden = false, limit = most } = options;
  const { maxDepth } = options;
  return {
    include: asTexts(include, `${call}: "include"`),
    exclude: asTexts(exclude, `${call}: "exclude"`),
    ignoreFiles: asFlag(ignoreFiles, `${call}: "ignoreFiles"`),
    hidden: asFlag(hidden, `${call}: "hidden"`),
    limit: asNumber(limit, `${call}: "limit"`),
    ...(maxDepth == null ? {} : { maxDepth: asNumber(maxDepth, `${call}: "maxDepth"`) }),
  };
}

/** Names of the granted roots. */
export function roots(): string[] {
  return hostCall(() => host.roots());
}

export function stat(path: string): host.Entry {
  return hostCall(() => host.stat(asText(path, 'fs.stat: "path"')));
}

/** @param maxBytes longer files come `truncated` */
export function readText(path: string, maxBytes = defaultMaxBytes): host.TextFile {
  const from = asText(path, 'fs.readText: "path"');
  const most = asNumber(maxBytes, 'fs.readText: "maxBytes"');
  return hostCall(() => host.readText(from, most));
}

/** One of many paths: what is there, or why it is not. */
export type Found<Value> = { path: string } & (
  | { value: Value; error?: undefined }
  | { value?: undefined; error: HostError }
);

/**
 * `readText` of up to 1,000 paths in one host call, in their order: a path that fails fails alone.
 *
 * @param maxBytes of each; all together at most 8 MiB, and what is beyond is a `limit`
 */
export function readMany(
  paths: readonly string[],
  maxBytes = defaultMaxBytes,
): Found<host.TextFile>[] {
  const from = asTexts(paths, 'fs.readMany: "paths"');
  const most = asNumber(maxBytes, 'fs.readMany: "maxBytes"');
  return foundOf(
    from,
    hostCall(() => host.readMany(from, most)),
  );
}

/** `stat` of up to 1,000 paths in one host call, in their order: a path that fails fails alone. */
export function statMany(paths: readonly string[]): Found<host.Entry>[] {
  const of = asTexts(paths, 'fs.statMany: "paths"');
  return foundOf(
    of,
    hostCall(() => host.statMany(of)),
  );
}

type Answer<Value> =
  | { tag: 'ok'; val: Value }
  | { tag: 'err'; val: { tag: HostErrorCode; val: string } };

function foundOf<Value>(
  paths: readonly string[],
  answers: readonly Answer<Value>[],
): Found<Value>[] {
  return answers.map((answer, index) => {
    const path = paths[index] ?? '';
    if (answer.tag === 'ok') return { path, value: answer.val };
    return { path, error: new HostError(answer.val.tag, answer.val.val) };
  });
}

/**
 * A text as `scan` sees it, to look at lines that were found: what is not UTF-8 is decoded instead
 * of refused, which `encoding` says, and has no hash, for it is not for writing back. A notebook is
 * the text that its cells show.
 *
 * @param maxBytes longer files come `truncated`; of what is not UTF-8 at most 4 MiB
 * @throws {HostError} as `readText`; `invalid` is left for a binary file
 */
export function readAnyText(path: string, maxBytes = defaultMaxBytes): AnyText {
  try {
    const file = readText(path, maxBytes);
    if (!/\.ipynb$/i.test(path) || file.truncated) return file;
    return { ...file, text: notebookText(file.text) ?? file.text };
  } catch (thrown) {
    if (!(thrown instanceof HostError) || thrown.code !== 'invalid') throw thrown;
    const bytes = readBytes(path, 0, maxBytes + 1);
    const most = Math.min(maxBytes, maxPartBytes - 1);
    // A PDF may hold no zero.
    const isPdf = String.fromCharCode(...bytes.subarray(0, 4)) === '%PDF';
    const decoded = isPdf ? undefined : decodeText(bytes.subarray(0, most));
    if (decoded === undefined) throw thrown;
    return { ...decoded, truncated: bytes.length > most };
  }
}

export function readBytes(path: string, offset: number, length: number): Uint8Array {
  const from = asText(path, 'fs.readBytes: "path"');
  const start = asNumber(offset, 'fs.readBytes: "offset"');
  const most = asNumber(length, 'fs.readBytes: "length"');
  return hostCall(() => host.readBytes(from, start, most));
}

export function listDir(path: string): host.Entry[] {
  return hostCall(() => host.listDir(asText(path, 'fs.listDir: "path"')));
}

/** Entries below `path`, gitignore-aware unless told otherwise. */
export function walk(path: string, options?: WalkOptions): host.Entry[] {
  const from = asText(path, 'fs.walk: "path"');
  const walked = walkOptions('fs.walk', options);
  return hostCall(() => host.walk(from, walked));
}

/** Lines that match; the host reads the files, so their bytes never cross into the guest. */
export function scan(path: string, options: ScanOptions): host.ScanResult {
  const { literal = false, caseInsensitive = false, before = 0, after = 0, limit = 1000 } = options;
  const from = asText(path, 'fs.scan: "path"');
  const wanted: host.ScanOptions = {
    pattern: asText(options.pattern, 'fs.scan: "pattern"'),
    literal: asFlag(literal, 'fs.scan: "literal"'),
    caseInsensitive: asFlag(caseInsensitive, 'fs.scan: "caseInsensitive"'),
    before: asNumber(before, 'fs.scan: "before"'),
    after: asNumber(after, 'fs.scan: "after"'),
    limit: asNumber(limit, 'fs.scan: "limit"'),
    walk: walkOptions('fs.scan: "walk"', options.walk, noLimit),
  };
  return hostCall(() => host.scan(from, wanted));
}

/** Counts of words by window of lines: what a ranked search without an index needs. */
export function tally(path: string, options: TallyOptions): host.TallyResult {
  const { window = 40, overlap = 10, limit = 1000 } = options;
  const from = asText(path, 'fs.tally: "path"');
  const wanted: host.TallyOptions = {
    window: asNumber(window, 'fs.tally: "window"'),
    overlap: asNumber(overlap, 'fs.tally: "overlap"'),
    limit: asNumber(limit, 'fs.tally: "limit"'),
    words: asTexts(options.words, 'fs.tally: "words"'),
    walk: walkOptions('fs.tally: "walk"', options.walk, noLimit),
  };
  return hostCall(() => host.tally(from, wanted));
}

/** What the last `walk`, `scan` or `tally` of this call left out; undefined when it was whole. */
export function unsearched(): host.End | undefined {
  return hostCall(() => host.unsearched()) ?? undefined;
}
