import { HostFailure } from '../../below/host-failure.ts';
import type { GatedPorts, WasiPorts } from './wasi-ports.ts';

/**
 * The ports as the interfaces use them: nothing passes after the guest's exit, which it may
 * have caught, and the first denial is remembered, because a program tells of it in its own
 * words or not at all.
 *
 * @param hasExited asked at every call
 */
export function gatePorts(
  ports: WasiPorts,
  hasExited: () => boolean,
): { ports: GatedPorts; takeDenial(): string | undefined } {
  const noted = new WeakSet<HostFailure>();
  let denial: string | undefined;

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
    if (payload.tag === 'denied') denial ??= payload.val;
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
    },
    takeDenial: () => {
      const taken = denial;
      denial = undefined;
      return taken;
    },
  };
}
