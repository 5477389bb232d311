import { join } from 'node:path';
import { packagesFolder } from '../../config/paths.ts';
import { KernelError } from '../../contracts/error.ts';
import { type DocumentKind, documentKindOf, type NotRead } from '../../contracts/not-read.ts';
import type { JsonObject, ToolCall, ToolOutput } from '../../contracts/tool.ts';
import { addMatches, addPassages } from '../../documents/add-passages.ts';
import {
  type DocumentText,
  type FoundDocument,
  readLines,
} from '../../documents/document-lines.ts';
import { findPackage } from '../../lib/parts/optional-part.ts';
import { createReadGated } from '../../paths/read-gated.ts';
import { HostFailure } from '../../paths/system-failure.ts';
import type { KernelCore } from '../core.ts';
import { type DocumentPorts, readDocument } from './parse-document.ts';

/** The text of documents, in the form of the results of tools. */
export type ServedDocuments = {
  /**
   * Adds matches in documents to a tool's result.
   *
   * @param missed what each host call of the tool could not read
   * @returns the result, and for each host call the files that are still unread
   */
  addTo(
    call: ToolCall,
    output: ToolOutput,
    missed: readonly (readonly NotRead[])[],
    signal: AbortSignal,
  ): Promise<{ output: ToolOutput; missed: NotRead[][] }>;
  /**
   * Reads a document as `file.read` reads a text.
   *
   * @param target as the tool opened it
   * @param failure of the tool
   * @throws {KernelError} why it is not read
   */
  read(call: ToolCall, target: string, failure: unknown, signal: AbortSignal): Promise<ToolOutput>;
};

const maxBytes = 50 * 1024 * 1024;
/** Documents that are read side by side; each takes a core. */
const atOnce = 2;
/** After this no further document of a search is begun. */
const searchMs = 15_000;

/** One for each kernel: it keeps texts until the kernel ends. */
export function serveDocuments({ config, sandbox, steadyClock }: KernelCore): ServedDocuments {
  const readGated = createReadGated(config);
  const places = { root: config.paths.root, packages: packagesFolder(config.home) };
  const ports: DocumentPorts = {
    confine: sandbox.confine,
    bundle: join(config.paths.dist, 'document-child.js'),
    packages: () => findPackage('unpdf', places).packages,
  };
  const kept = new Map<string, Promise<DocumentText>>();

  const textOf = async (target: string, kind: DocumentKind, signal: AbortSignal) => {
    const { bytes, stats } = readGated(target, maxBytes);
    const key = `${target} ${stats.size} ${stats.mtimeMs} ${stats.ino}`;
    const shown = JSON.stringify(pathOf(target));
    const text = kept.get(key) ?? readDocument(bytes, kind, { shown, signal, ports });
    kept.set(key, text);
    // Forget a failure: the next try may succeed.
    text.catch(() => kept.delete(key));
    return { path: pathOf(target), ...(await text) };
  };

  /** Reads the named documents; an error in the place of each that failed. */
  const readAll = async (targets: readonly string[], signal: AbortSignal) => {
    const found = new Map<string, FoundDocument | 'waiting' | KernelError>();
    const endMs = steadyClock.nowMs() + searchMs;
    const waiting = [...targets];
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        signal.throwIfAborted();
        const kind = documentKindOf(next);
        if (kind === undefined || steadyClock.nowMs() > endMs) found.set(next, 'waiting');
        else
          found.set(
            next,
            await textOf(next, kind, signal).catch((thrown: unknown) =>
              KernelError.from(thrown, 'tool-failed'),
            ),
          );
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    signal.throwIfAborted();
    return found;
  };

  const isThere = (): boolean => {
    try {
      ports.packages();
      return true;
    } catch {
      // False without the part; the unread documents name the command that adds it.
      return false;
    }
  };

  return {
    addTo: async (call, output, missed, signal) => {
      if (!isThere()) return { output, missed: missed.map((each) => [...each]) };
      const isGrep = call.tool === 'search.grep';
      // Other tools search code, which documents do not hold.
      if (!isGrep && call.tool !== 'search.passages')
        return { output, missed: missed.map((each) => each.filter(isOther)) };
      const named = missed.flat().filter((each) => !isOther(each));
      if (isGrep && call.input.literal !== true && !isPlain(call.input))
        return { output, missed: missed.map((each) => renamed(each, new Map(), 'not searched')) };
      const targets = [...new Set(named.flatMap(({ paths }) => paths))];
      const read = await readAll(targets, signal);
      const documents = [...read.values()].filter((each) => isFound(each));
      const added = isGrep
        ? addMatches(output, call.input, documents)
        : addPassages(output, documents);
      return { output: added, missed: missed.map((each) => renamed(each, read, 'left out')) };
    },
    read: async (call, target, failure, signal) => {
      const kind = documentKindOf(target);
      if (kind === undefined) throw failure;
      if (!isThere()) {
        const { code, message } = KernelError.from(failure, 'tool-failed');
        throw new KernelError(code, message, {
          cause: failure,
          hint: 'Its text can be read with: cuervo add documents',
        });
      }
      try {
        return readLines(await textOf(target, kind, signal), call.input);
      } catch (thrown) {
        if (thrown instanceof HostFailure)
          throw new KernelError('tool-failed', thrown.payload.val, { cause: thrown });
        throw thrown;
      }
    },
  };
}

const isOther = ({ kind }: NotRead): boolean => documentKindOf(`.${kind}`) !== kind;

const isFound = (each: FoundDocument | 'waiting' | KernelError): each is FoundDocument =>
  typeof each === 'object' && !(each instanceof KernelError);

const pathOf = (target: string): string => target.replace(/^work:/, '');

/** An expression without signs is a plain text. */
const isPlain = ({ pattern }: JsonObject): boolean =>
  typeof pattern === 'string' && !/[\\^$.*+?()[\]{}|]/.test(pattern);

/**
 * The files that are still unread: failed documents with their reasons, and the number of documents
 * beyond the named ones.
 */
function renamed(
  missed: readonly NotRead[],
  read: ReadonlyMap<string, FoundDocument | 'waiting' | KernelError>,
  rest: string,
): NotRead[] {
  return missed.flatMap((each) => {
    if (isOther(each)) return [each];
    const byKind = new Map<string, string[]>();
    for (const path of each.paths) {
      const found = read.get(path);
      if (found !== undefined && found !== 'waiting' && !(found instanceof KernelError)) continue;
      const kind = `${each.kind} ${found instanceof KernelError ? reasonOf(found) : rest}`;
      byKind.set(kind, [...(byKind.get(kind) ?? []), path]);
    }
    const beyond = each.count - each.paths.length;
    const kinds = [...byKind].map(([kind, paths]) => ({ kind, count: paths.length, paths }));
    if (beyond <= 0) return kinds;
    const more = kinds.find(({ kind }) => kind === `${each.kind} ${rest}`);
    if (more === undefined)
      return [...kinds, { kind: `${each.kind} ${rest}`, count: beyond, paths: [] }];
    more.count += beyond;
    return kinds;
  });
}

/** The reason in a word or two; the document's own line tells more. */
function reasonOf({ message }: KernelError): string {
  if (/encrypted/.test(message)) return 'encrypted';
  if (/holds no text/.test(message)) return 'without text';
  return /damaged|is no Word file/.test(message) ? 'damaged' : 'too large';
}
