/** @module Interface cuervo:host/fs@0.1.0 **/
export function roots(): Array<string>;
export function stat(path: string): Entry;
export function readText(path: string, maxBytes: number): TextFile;
/**
 * As many calls of `read-text`, or of `stat`, at once: at most 1,000 paths, in
 * their order, and texts of 8 MiB in all. A path that fails fails alone.
 */
export function readMany(paths: Array<string>, maxBytes: number): Array<Result<TextFile, HostError>>;
export function statMany(paths: Array<string>): Array<Result<Entry, HostError>>;
export function readBytes(path: string, offset: number, length: number): Uint8Array;
export function listDir(path: string): Array<Entry>;
export function walk(path: string, options: WalkOptions): Array<Entry>;
/**
 * Reads and matches on the host side with the authority of this call and no
 * more: the bytes never have to cross into the guest.
 */
export function scan(path: string, options: ScanOptions): ScanResult;
/**
 * Counts words by window, what a ranked search without an index needs; like
 * `scan`, the bytes stay on the host side.
 */
export function tally(path: string, options: TallyOptions): TallyResult;
/**
 * What the last walk, scan or tally of this call left out; absent when it was
 * whole.
 */
export function unsearched(): End | undefined;
export type HostError = import('./cuervo-host-types.js').HostError;
/**
 * # Variants
 * 
 * ## `"file"`
 * 
 * ## `"directory"`
 * 
 * ## `"link"`
 * 
 * ## `"other"`
 */
export type Kind = 'file' | 'directory' | 'link' | 'other';
export interface Entry {
  /**
   * `root:relative/path`
   */
  path: string,
  kind: Kind,
  /**
   * bytes
   */
  size: number,
  /**
   * milliseconds since the Unix epoch
   */
  modifiedMs: number,
}
export interface TextFile {
  /**
   * UTF-8; a file that is not is an `invalid` error
   */
  text: string,
  /**
   * SHA-256 of the whole file, hex
   */
  hash: string,
  truncated: boolean,
}
export interface WalkOptions {
  /**
   * gitignore-style globs; empty means all
   */
  include: Array<string>,
  exclude: Array<string>,
  /**
   * apply .gitignore, .ignore and .cuervoignore
   */
  ignoreFiles: boolean,
  hidden: boolean,
  maxDepth?: number,
  limit: number,
}
export interface ScanOptions {
  walk: WalkOptions,
  /**
   * ECMAScript regular expression, or the text itself when `literal`
   */
  pattern: string,
  literal: boolean,
  caseInsensitive: boolean,
  before: number,
  after: number,
  limit: number,
}
export interface ScanMatch {
  path: string,
  /**
   * 1-based
   */
  line: number,
  /**
   * 1-based, in UTF-16 units
   */
  column: number,
  text: string,
  before: Array<string>,
  after: Array<string>,
}
export interface ScanResult {
  matches: Array<ScanMatch>,
  filesScanned: number,
  bytesScanned: number,
  /**
   * true when a limit cut the list
   */
  truncated: boolean,
}
export interface TallyOptions {
  walk: WalkOptions,
  /**
   * lower case; a word counts where a part of an identifier or a plain word
   * (split at case, digits, `_` and `-`) begins with it
   */
  words: Array<string>,
  /**
   * lines in a window, and how many of them the next window repeats
   */
  window: number,
  overlap: number,
  limit: number,
}
export interface TallyWindow {
  path: string,
  /**
   * 1-based line of the window's first line
   */
  line: number,
  /**
   * words in the window: the length that BM25 normalises by
   */
  length: number,
  /**
   * one count for each of `words`
   */
  counts: Uint32Array,
}
export interface TallyResult {
  /**
   * the `limit` windows with the highest sum of inverse window frequencies
   */
  windows: Array<TallyWindow>,
  /**
   * over all windows of all files
   */
  total: number,
  holding: Uint32Array,
  meanLength: number,
  truncated: boolean,
}
/**
 * Why a walk, scan or tally left something out.
 * # Variants
 * 
 * ## `"matches"`
 * 
 * as many matches as were asked for, or as one scan gives
 * ## `"entries"`
 * 
 * as many entries as were asked for, or as one walk gives
 * ## `"time"`
 * 
 * the time of the call was nearly used up, as on a slow disk
 * ## `"depth"`
 * 
 * folders too deep to be entered
 * ## `"names"`
 * 
 * more names in one folder than are looked at
 * ## `"file"`
 * 
 * a file in which the pattern takes more stack than there is
 */
export type EndReason = 'matches' | 'entries' | 'time' | 'depth' | 'names' | 'file';
export interface End {
  reason: EndReason,
  /**
   * For `matches`, `entries` and `time` all that stands behind it, depth first
   * and in byte order of names, may be missing; for `depth` and `names` what
   * lies in this folder, for `file` the rest of that file.
   */
  path: string,
}
export type Result<T, E> = { tag: 'ok', val: T } | { tag: 'err', val: E };
