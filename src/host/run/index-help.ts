import { effectAllows } from '../../contracts/capability.ts';
import type { Effect } from '../../contracts/tool.ts';
import { indexCall } from '../../protocol/call-names.ts';
import type { ReplyMessage, RequestMessage } from '../../protocol/messages.ts';

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
