import { HostFailure } from '../../below/host-failure.ts';
import type { GatedPorts, WasiPorts } from './wasi-ports.ts';

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
): { ports: GatedPorts; takeReasons(): { denied?: string; limited?: string } } {
  const noted = new WeakSet<HostFailure>();
  let denied: string | undefined;
  let limited: string | undefined;

  function noting<T>(run: () => T): T {
    try {
      return run();
    } catch (thrown) {
      if (thrown instanceof HostFailure) {
        noted.add(thrown);
        remember(thrown);
      }
      throw thrown;
    }
  }

  function remember({ payload }: HostFailure): void {
    if (payload.tag === 'denied') denied ??= payload.val;
    if (payload.tag === 'limit') limited ??= payload.val;
  }

  return {
    ports: {
      ...ports,
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
    takeReasons: () => {
      const taken = {
        ...(denied === undefined ? {} : { denied }),
        ...(limited === undefined ? {} : { limited }),
      };
      denied = undefined;
      limited = undefined;
      return taken;
    },
  };
}
