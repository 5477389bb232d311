import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { isAbsolute, join, posix, relative, resolve, sep } from 'node:path';
import { KernelError } from '../contracts/error.ts';
import {
  everyProject,
  type LayerCounts,
  type MemoryFilter,
  type MemoryUpkeep,
  memoryLayers,
} from '../contracts/memory.ts';
import type { MemorySources } from '../contracts/memory-store.ts';
import { realPath, workspacePath } from '../lib/files/paths.ts';
import { decodeUnlessBinary } from '../lib/text/decode-text.ts';
import { type Document, gone, unreadable } from './add-documents.ts';
import type { WalkedFile } from './walk-files.ts';

/** Facts about a file before it is read. */
export type KnownFile = Pick<WalkedFile, 'path' | 'bytes' | 'changedMs'>;

/** A file of the workspace as a document for memory. */
export function fileDocument(workspace: string, file: KnownFile, maxBytes: number): Document {
  const { path: source, bytes, changedMs } = file;
  return {
    source,
    bytes,
    changedMs,
    read: () => readText(join(workspace, source), Math.max(bytes, 0), maxBytes),
  };
}

/** O_NONBLOCK: a pipe in the place of the file must not block the read. */
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** @returns undefined for a file that is not text or is too large */
async function readText(
  path: string,
  bytes: number,
  maxBytes: number,
): ReturnType<Document['read']> {
  if (bytes > maxBytes) return undefined;
  let file: FileHandle;
  try {
    // O_NOFOLLOW: a link may have taken the file's place since the listing, and could lead
    // anywhere.
    file = await open(path, flags);
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? gone : unreadable;
  }
  try {
    const content = await file.readFile();
    return content.length > maxBytes ? undefined : decodeUnlessBinary(content);
  } catch {
    return unreadable;
  } finally {
    await file.close();
  }
}

/** Names in one filter. */
export const sourcesAtOnce = 500;

/**
 * Takes sources out of memory that are no more.
 *
 * @returns pieces that went
 */
export async function dropSources(
  ports: { memory: Pick<MemoryUpkeep, 'forget'>; sources: MemorySources },
  project: string,
  lost: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  let removed = 0;
  for (let at = 0; at < lost.length; at += sourcesAtOnce) {
    const names = lost.slice(at, at + sourcesAtOnce);
    const filter = { project, layer: 'assets' as const, sources: names };
    removed += (await ports.memory.forget(filter, { signal })).assets;
    for (const source of names) ports.sources.remove(project, source);
  }
  return removed;
}

/**
 * The filter for rows of a workspace, by so many sources at a time that its SQL stays short. A row or
 * run that is named may be one that holds in every workspace.
 */
export function* filterParts(
  project: string,
  filter: MemoryFilter,
): Generator<MemoryFilter, void, undefined> {
  const isNamed = filter.ids !== undefined || filter.run !== undefined;
  const mine = isNamed ? { projects: [project, everyProject], ...filter } : { project, ...filter };
  const { sources } = filter;
  if (sources === undefined) return yield mine;
  for (let at = 0; at < sources.length; at += sourcesAtOnce) {
    yield { ...mine, sources: sources.slice(at, at + sourcesAtOnce) };
  }
}

export async function sumOf(
  parts: Iterable<MemoryFilter>,
  work: (part: MemoryFilter) => Promise<LayerCounts>,
): Promise<LayerCounts> {
  const sum = { interact: 0, insights: 0, assets: 0 };
  for (const part of parts) {
    const counts = await work(part);
    for (const layer of memoryLayers) sum[layer] += counts[layer];
  }
  return sum;
}

export type KnownSources = {
  /** what any row came from, or was read and not forgotten */
  named: ReadonlySet<string>;
  /** those of `named` that are files or texts, which can lie below a folder */
  read: ReadonlySet<string>;
  forgotten: ReadonlySet<string>;
};

/** Sources that an error names as near. */
const maxNear = 3;

/**
 * The sources that a person means: one by its name, else by another spelling of its path, else all
 * below a folder. A path is of the workspace, or of the current folder as for `memory add`.
 *
 * @returns at least one
 * @throws {KernelError} `not-found`, with names that are near
 */
export function findSources(typed: string, workspace: string, known: KnownSources): string[] {
  if (typed.trim() === '') {
    throw new KernelError('invalid-argument', 'the source to forget is empty', {
      hint: 'Name one that is listed: cuervo memory list',
    });
  }
  const spellings = spellingsOf(typed, workspace);
  for (const name of spellings) if (known.named.has(name)) return [name];
  for (const folder of spellings) {
    const below = [...known.read].filter((source) => isBelow(source, folder));
    if (below.length > 0) return below.sort();
  }
  const wasForgotten = spellings.some((name) => known.forgotten.has(name));
  throw new KernelError(
    'not-found',
    `nothing in memory of ${workspace} came from "${typed}"${wasForgotten ? ': it was forgotten already' : ''}`,
    { hint: hintOf(near(typed, known.named)) },
  );
}

/** @param folder '' for the workspace itself */
export function isBelow(source: string, folder: string): boolean {
  return folder === '' || source === folder || source.startsWith(`${folder}/`);
}

/** As typed, then as a path relative to the workspace. */
function spellingsOf(typed: string, workspace: string): string[] {
  const path = workspacePath(typed);
  const ofWorkspace = resolve(workspace, path);
  const paths = [ofWorkspace, realPath(ofWorkspace), resolve(path), realPath(resolve(path))];
  const inside = paths
    .map((at) => relative(workspace, at).split(sep).join('/'))
    .filter((at) => at !== '..' && !at.startsWith('../') && !isAbsolute(at));
  return [...new Set([typed, ...inside])];
}

/** Sources with the typed text in their name, without the line numbers of a search. */
function near(typed: string, names: ReadonlySet<string>): string[] {
  const name = posix.basename(typed.replace(/:\d+(?:-\d+)?$/, '')).toLowerCase();
  if (name === '' || name === '.' || name === '..') return [];
  return [...names]
    .filter((source) => source.toLowerCase().includes(name))
    .sort((one, other) => one.length - other.length || (one < other ? -1 : 1))
    .slice(0, maxNear);
}

function hintOf(names: readonly string[]): string {
  if (names.length === 0) return 'See what rows came from: cuervo memory list';
  return `Near it: ${names.join(', ')}; see what rows came from: cuervo memory list`;
}
