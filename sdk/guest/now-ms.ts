import { HostError } from '../host-error.ts';
import { guestHost } from './guest-host.ts';

/** As programs of WASI have it without the grant: the first second of 2020, UTC. */
const fixedStartMs = 1_577_836_800_000;
/** Each look moves it, so that what waits goes on. */
let passedMs = 0;

/**
 * The time for globals. Where the plugin does not want `clock`, was not granted it, or is being set
 * up, it is a fixed clock: packages ask for the time in passing. `clock.nowMs` is denied instead.
 */
export function nowMs(): number {
  if (guestHost.nowMs !== undefined) {
    try {
      return guestHost.nowMs();
    } catch (thrown) {
      if (!(thrown instanceof HostError) || thrown.code !== 'denied') throw thrown;
      // The answer is the same for all of this call.
      delete guestHost.nowMs;
    }
  }
  passedMs += 1;
  return fixedStartMs + passedMs;
}
