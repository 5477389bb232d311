import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../contracts/config.ts';
import { createContentGate } from '../../contracts/content-gate.ts';
import type { FlushableMemory, NearPiece } from '../../contracts/memory.ts';
import type { MemorySources } from '../../contracts/memory-store.ts';
import { protectedBelow, toolPath, workspacePath } from '../../lib/files/paths.ts';
import { splitLines } from '../../lib/text/decode-text.ts';
import { bestFirst } from '../search/near-pieces.ts';
import { standsAsRead } from '../stands-as-read.ts';

export type IndexFindings = {
  /**
   * likeness of the best piece of each file that has not changed since; paths as tools print them
   */
  likeness: ReadonlyMap<string, number>;
  /** the best pieces of files that were not named, each at the lines where it stands now */
  others: NearPiece[];
  best: ReadonlyMap<string, NearPiece>;
  /** files that have changed or gone since they were read; their pieces are not shown */
  behind: string[];
  /** looks at pieces once more; undefined where no model helps */
  rerank: (pieces: readonly NearPiece[]) => ReturnType<FlushableMemory['rerankPieces']>;
};

export type IndexPieces = {
  /**
   * Starts the work that does not depend on the workspace search, which runs meanwhile in other
   * processes. If it fails, `find` with the same question throws its error.
   */
  prepare(question: string, options: { signal: AbortSignal }): void;
  /**
   * @param paths files that a search of the workspace found, as tools print them
   * @returns undefined where the workspace has no index
   */
  find(
    question: string,
    paths: readonly string[],
    options: { signal: AbortSignal },
  ): Promise<IndexFindings | undefined>;
};

/** How many pieces of all files are looked at, and how many files they may add. */
const nearest = 40;
const maxOthers = 5;
/** Bytes of a file that is read for its lines. */
const maxFileBytes = 1024 * 1024;

/**
 * The pieces of `cuervo index`, for the ranking of passages; the file is read before any is shown.
 */
export function createIndexPieces(ports: {
  config: Config;
  memory(): Promise<FlushableMemory>;
  sources(): Promise<MemorySources>;
}): IndexPieces {
  const { config } = ports;
  const project = config.workspace;
  const { isProtected } = createContentGate(protectedBelow(config));

  const stands = (sources: MemorySources, path: string): boolean =>
    standsAsRead(config.workFolder ?? project, sources.get(project, path));

  /** @returns undefined where the workspace has no index */
  const openIndex = async () => {
    const sources = await ports.sources();
    if (!sources.indexedProjects().includes(project)) return undefined;
    return { sources, memory: await ports.memory() };
  };

  /** The nearest pieces of the given sources; without sources, of all files. */
  const nearPieces = async (
    { memory }: { memory: FlushableMemory },
    question: string,
    { sources, signal }: { sources: readonly string[]; signal: AbortSignal },
  ): Promise<NearPiece[]> => {
    const limit = sources.length === 0 ? nearest : 0;
    return await memory.nearPieces(question, { project, sources, limit, signal });
  };

  const nearestOfAll = async (question: string, signal: AbortSignal) => {
    const index = await openIndex();
    return index && { index, near: await nearPieces(index, question, { sources: [], signal }) };
  };
  let prepared: { question: string; found: ReturnType<typeof nearestOfAll> } | undefined;

  return {
    prepare: (question, { signal }) => {
      const found = nearestOfAll(question, signal);
      found.catch(() => {});
      prepared = { question, found };
    },
    find: async (question, paths, { signal }) => {
      const ahead = prepared?.question === question ? prepared.found : undefined;
      prepared = undefined;
      const open = await (ahead ?? nearestOfAll(question, signal));
      if (open === undefined) return undefined;
      const { sources } = open.index;
      const named = paths.map(workspacePath);
      const own =
        paths.length === 0
          ? []
          : await nearPieces(open.index, question, { sources: named, signal });
      const pieces = bestFirst([...open.near, ...own]);
      const states = new Map<string, boolean>();
      for (const { source } of pieces) {
        if (!states.has(source)) states.set(source, stands(sources, source));
      }
      const best = new Map<string, NearPiece>();
      for (const piece of pieces) {
        if (states.get(piece.source) === true && !best.has(piece.source)) {
          best.set(piece.source, piece);
        }
      }
      const asked = new Set(named);
      const others: NearPiece[] = [];
      for (const piece of best.values()) {
        if (others.length >= maxOthers) break;
        if (asked.has(piece.source) || isProtected(piece.source, 'work')) continue;
        if (await isThere(join(config.workFolder ?? project, piece.source), piece))
          others.push({ ...piece, source: toolPath(piece.source) });
      }
      return {
        likeness: new Map([...best].map(([path, { likeness }]) => [toolPath(path), likeness])),
        others,
        best: new Map([...best].map(([path, piece]) => [toolPath(path), piece])),
        behind: [...states].filter(([, isSame]) => !isSame).map(([path]) => path),
        rerank: (some) => open.index.memory.rerankPieces(question, some, { signal }),
      };
    },
  };
}

/** A link or a pipe that took the place of a file is neither followed nor waited for. */
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Whether the lines of the file read as the piece does. */
async function isThere(path: string, piece: NearPiece): Promise<boolean> {
  try {
    await using file = await open(path, flags);
    if ((await file.stat()).size > maxFileBytes) return false;
    const lines = splitLines(await file.readFile('utf8'));
    return lines.slice(piece.startLine - 1, piece.endLine).join('\n') === piece.text;
  } catch {
    return false; // gone, or no file any more
  }
}
