import { HostFailure } from '../paths/host-failure.ts';
import type { GatedPorts, WasiPorts } from './wasi-ports.ts';

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
      if (thrown instanceof HostFailure) {
        noted.add(thrown);
        remember(thrown);
        if (thrown.payload.tag === 'denied') withheld ??= thrown.payload.val;
      }
      throw thrown;
    }
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
