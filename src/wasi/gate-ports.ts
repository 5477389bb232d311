import type { ProtectedCheck } from '../contracts/content-gate.ts';
import type { HostCall } from '../contracts/tool.ts';
import { HostFailure } from '../paths/system-failure.ts';
import type { ProcessLimits } from '../protocol/messages.ts';

/**
 * Limits of what one call's guests may make this side hold. A guest's number is cut to these or
 * refused, so that it never decides an allocation.
 */
export const wasiLimits = {
  /** descriptors, streams, pollables, errors and messages that are alive at once */
  resources: 4096,
  /** files that are open at once, each a descriptor of the operating system */
  openFiles: 128,
  /** bytes of one read; a guest that asks for more gets less, as WASI allows */
  readBytes: 256 * 1024,
  /** what a stream permits for the next write */
  writeBytes: 64 * 1024,
  /** bytes of one file that is written: what the kernel takes for one */
  fileBytes: 4 * 1024 * 1024,
  /** bytes of all files that are written and not yet handed to the kernel */
  pendingBytes: 16 * 1024 * 1024,
  directoryEntries: 10_000,
  /** below a directory that is renamed: each of them is a host call */
  renamedEntries: 500,
  /** bytes of one random request; WASI has no way to give less than was asked for */
  randomBytes: 1024 * 1024,
  pollables: 4096,
  /** stat, readlink and the like in one call: they share entries of the journal */
  lookups: 200_000,
  /** as many as the kernel sends */
  httpHeaders: 64,
  /** of all names and values of one message */
  httpHeaderBytes: 64 * 1024,
  httpBodyBytes: 4 * 1024 * 1024,
} as const;

/** The base of the WASI interfaces: the gate, the journal, the roots and the kernel. */
export type WasiPorts = {
  /** root name -> descriptor of its directory; the caller owns them */
  roots: ReadonlyMap<string, number>;
  isProtected: ProtectedCheck;
  limits: ProcessLimits;
  /**
   * The gate of every host call.
   *
   * @throws {HostFailure} without a running tool call, grant or effect; a denial is noted
   */
  admit(capability: string, call: string): void;
  /** whether `admit()` would let the call through; notes nothing */
  allows(capability: string, call: string): boolean;
  /** A line of the journal. Entries may be changed until the call ends. */
  report(call: HostCall): void;
  /** one host call of the kernel's, answered or thrown as a `HostFailure` */
  askKernel(call: string, args: readonly unknown[]): unknown;
  /** the same, while the guest goes on */
  askLater(call: string, args: readonly unknown[]): Promise<unknown>;
  /** the same, for a guest that asks for the answer and may stand still until then */
  start(call: string, args: readonly unknown[]): StartedCall;
};

/** A host call of the kernel's that is under way. */
export type StartedCall = {
  /**
   * @returns undefined as long as nobody waited for it
   * @throws {HostFailure}
   */
  answer(): { value: unknown } | undefined;
  /** Stands still until one of the started calls is answered. */
  wait(): void;
};

/** The ports with what one call has been denied so far. */
export type GatedPorts = WasiPorts & {
  /** true when the gate or the kernel threw it, which then wrote it into the journal */
  isNoted(failure: HostFailure): boolean;
  /** Keeps the reason of a denial for whoever asks why the guest failed. */
  remember(failure: HostFailure): void;
  /** Keeps which limit was reached first, likewise. */
  rememberLimit(text: string): void;
};

export type DenialReasons = {
  /** reason of the first denial, which may be why the guest failed */
  denied?: string;
  /**
   * the same reason, where no grant was missing and the guest went on and read something else
   * after all of its denials: then it is hardly why it failed
   */
  probed?: string;
  /** which limit was reached first, likewise */
  limited?: string;
};

/**
 * The ports as the interfaces use them: nothing passes after the guest's exit, which it may
 * have caught, and the first denial and the first limit are remembered, because a program tells
 * of them in its own words or not at all.
 *
 * @param hasExited asked at every call
 */
export function gatePorts(
  ports: WasiPorts,
  hasExited: () => boolean,
): {
  ports: GatedPorts;
  /** The guest read something that it may read, beside the files, which the ports report. */
  noteRead(): void;
  takeReasons(): DenialReasons;
} {
  const noted = new WeakSet<HostFailure>();
  // Denials of the gate, which a grant may open, and of protected paths.
  let withheld: string | undefined;
  let refused: string | undefined;
  let limited: string | undefined;
  let hasReadSince = false;

  function noting<T>(run: () => T): T {
    try {
      return run();
    } catch (thrown) {
      throw notingFailure(thrown);
    }
  }

  function notingFailure(thrown: unknown): unknown {
    if (!(thrown instanceof HostFailure)) return thrown;
    noted.add(thrown);
    remember(thrown);
    if (thrown.payload.tag === 'denied') withheld ??= thrown.payload.val;
    return thrown;
  }

  function remember({ payload }: HostFailure): void {
    if (payload.tag === 'denied') {
      refused ??= payload.val;
      hasReadSince = false;
    }
    if (payload.tag === 'limit') limited ??= payload.val;
  }

  function noteRead(): void {
    hasReadSince = true;
  }

  return {
    ports: {
      ...ports,
      report: (call) => {
        if (call.call === 'fs.read-bytes' && call.outcome === 'ok') noteRead();
        ports.report(call);
      },
      admit: (capability, call) => {
        if (hasExited()) throw new HostFailure('denied', `${call} after the guest's exit`);
        noting(() => ports.admit(capability, call));
      },
      allows: (capability, call) => !hasExited() && ports.allows(capability, call),
      askKernel: (call, args) => noting(() => ports.askKernel(call, args)),
      askLater: async (call, args) => {
        try {
          return await ports.askLater(call, args);
        } catch (thrown) {
          throw notingFailure(thrown);
        }
      },
      start: (call, args) => {
        const started = noting(() => ports.start(call, args));
        return { ...started, answer: () => noting(started.answer) };
      },
      isNoted: (failure) => noted.has(failure),
      remember,
      rememberLimit: (text) => {
        limited ??= text;
      },
    },
    noteRead,
    takeReasons: () => {
      const denied = withheld ?? refused;
      const probed = withheld === undefined && hasReadSince ? refused : undefined;
      const taken = {
        ...(denied === undefined ? {} : { denied }),
        ...(probed === undefined ? {} : { probed }),
        ...(limited === undefined ? {} : { limited }),
      };
      withheld = undefined;
      refused = undefined;
      limited = undefined;
      hasReadSince = false;
      return taken;
    },
  };
}
