import type { DirectoryEntry } from '../filesystem/describe-file.ts';
import { failWith } from '../filesystem/error-code.ts';
import type { DefineDescriptor, Run } from '../filesystem/filesystem-context.ts';
import type { FileStreams, Handle } from '../filesystem/open-files.ts';
import type { IoCause } from '../io/create-io.ts';
import { lengthOf, type ResourceKind, WasiFailure } from '../resource.ts';
import type { GuestStreams, Settled } from './guest-streams.ts';

/** Codes and types are variants in 0.3, where they are enumerations in 0.2. */
const caseOf = (tag: unknown): { tag: unknown } =>
  tag === 'unknown' ? ({ tag: 'other', val: undefined } as { tag: unknown }) : { tag };
const codeOf = ({ filesystem = 'io' }: IoCause): unknown => caseOf(filesystem);

/** `wasi:filesystem/types.descriptor` of 0.3: what differs from 0.2. */
export function createNewerDescriptors(options: {
  define: DefineDescriptor;
  streams: GuestStreams;
  files: FileStreams;
  list(handle: Handle): DirectoryEntry[];
}): ResourceKind<Handle> {
  const { define, streams, files, list } = options;

  /** These functions tell every error by their future. */
  function settling<T>(run: () => T, otherwise: (settled: Settled) => T): T {
    try {
      return run();
    } catch (thrown) {
      if (!(thrown instanceof WasiFailure)) throw thrown;
      return otherwise({ tag: 'err', val: caseOf(thrown.payload) });
    }
  }
  const write = (handle: Handle, stream: unknown, start: number | undefined): Promise<Settled> =>
    settling(
      () => streams.writing(stream, files.writeVia(handle, start), codeOf),
      async (settled) => {
        (stream as Disposable)[Symbol.dispose]();
        return settled;
      },
    );
  const withType = (stat: unknown): object => {
    const given = stat as { type: unknown };
    return { ...given, type: caseOf(given.type) };
  };

  return define(
    ({ getType, stat, statAt }) => ({
      getType: (...args) => caseOf((getType as Run)(...args)),
      stat: (...args) => withType((stat as Run)(...args)),
      statAt: (...args) => withType((statAt as Run)(...args)),
      readViaStream: (handle, offset) =>
        settling<[object, Promise<Settled>]>(
          () => streams.reading(files.readVia(handle, offset), codeOf),
          (settled) => [[], Promise.resolve(settled)],
        ),
      writeViaStream: (handle, stream, offset) =>
        write(handle, stream, lengthOf(offset, Number.MAX_SAFE_INTEGER)),
      appendViaStream: (handle, stream) => write(handle, stream, undefined),
      readDirectory: (handle) => streams.listing(() => entriesOf(() => list(handle))),
    }),
    caseOf,
  );
}

/** Entries up to the first whose name is not UTF-8. */
function* entriesOf(list: () => DirectoryEntry[]): Generator<object, void, undefined> {
  try {
    for (const { type, name } of list()) {
      if (!name.isWellFormed()) throw failWith('illegal-byte-sequence');
      yield { type: caseOf(type), name };
    }
  } catch (thrown) {
    throw thrown instanceof WasiFailure ? new WasiFailure(caseOf(thrown.payload)) : thrown;
  }
}
