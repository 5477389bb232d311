import { effectAllows } from '../../contracts/capability.ts';
import type { Effect } from '../../contracts/tool.ts';
import { collectCall, helpCall, indexCall } from '../../protocol/call-names.ts';
import type { ReplyMessage, RequestMessage } from '../../protocol/messages.ts';
import type { PluginProcess } from './plugin-process.ts';
import type { ProcessPool } from './process-pool.ts';

/** What a plugin process asks of an index before it looks at files: see `AskIndex`. */
export type IndexQuestion = {
  call: 'walk' | 'scan' | 'tally';
  root: string;
  start: string;
  options: unknown;
};

/** An index of the files of a root. */
export type FileIndex = {
  /**
   * @param asked unchecked
   * @param caller.folder of the root
   * @param caller.run calls of one run see the files as they were a moment ago
   * @returns undefined where it cannot tell
   */
  answer(
    asked: IndexQuestion,
    caller: { folder: string; run?: string | undefined },
  ): Promise<object | undefined>;
  /** A tool may have changed files. */
  noteChange(): void;
};

/** What a call may ask an index about: files that its process can read. */
export type IndexGate = {
  index: FileIndex | undefined;
  effect: Effect;
  denied: Readonly<Record<string, string>>;
  /** granted roots: name -> directory */
  roots: Readonly<Record<string, string>>;
  run: string | undefined;
};

/**
 * Tells a plugin process which files it can skip. It may read all of them, and searches the others
 * itself.
 *
 * @returns a server of this one request; undefined for any other
 */
export function createIndexHelp({
  index,
  effect,
  denied,
  roots,
  run,
}: IndexGate): (request: RequestMessage) => Promise<ReplyMessage> | undefined {
  const answer = async ([given]: readonly unknown[]): Promise<ReplyMessage> => {
    const asked = given as Partial<IndexQuestion> | null | undefined;
    const { root = '', call = '' } = asked ?? {};
    const folder = Object.hasOwn(roots, root) ? roots[root] : undefined;
    const isAllowed = denied.fs === undefined && effectAllows(effect, `fs.${call}`);
    if (index === undefined || folder === undefined || !isAllowed) return { value: null };
    return { value: (await index.answer(asked as IndexQuestion, { folder, run })) ?? null };
  };
  return ({ call, args }) => (call === indexCall ? answer(args) : undefined);
}

/** What the call that asks for help may do: a helper gets no more. */
export type HelpGate = {
  pool: ProcessPool;
  effect: Effect;
  denied: Readonly<Record<string, string>>;
  /** fires at the latest when the call ends: nobody needs an unfinished share after that */
  signal: AbortSignal;
};

/**
 * Lets a second process of the same plugin, which reaches the same roots, take a share of a large
 * scan. Nothing is opened that the asking process could not read, and what the sibling found is
 * handed on unread: both are the same plugin.
 *
 * @returns a server of the two calls of help; undefined for any other request
 */
export function createScanHelp(
  gate: HelpGate,
): (request: RequestMessage) => Promise<ReplyMessage> | undefined {
  const isAllowed = gate.denied.fs === undefined && effectAllows(gate.effect, 'fs.scan');
  let part: Promise<unknown> | undefined;

  const help = async (args: readonly unknown[]): Promise<ReplyMessage> => {
    const sibling = isAllowed && part === undefined ? gate.pool.takeReady() : undefined;
    if (sibling !== undefined) part = partOf(sibling, args);
    return { value: sibling !== undefined };
  };

  async function partOf(sibling: PluginProcess, args: readonly unknown[]): Promise<unknown> {
    try {
      return await sibling.assist(args, gate.signal);
    } catch {
      // Whoever asked does the share itself then.
      return null;
    } finally {
      gate.pool.give(sibling);
    }
  }

  const collect = async (): Promise<ReplyMessage> => {
    const waited = part;
    part = undefined;
    return { value: (await waited) ?? null };
  };

  return ({ call, args }) => {
    if (call === helpCall) return help(args);
    return call === collectCall ? collect() : undefined;
  };
}
