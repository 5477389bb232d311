import { HostError } from '../host-error.ts';
import { guestHost } from './guest-host.ts';

/** As programs of WASI have it without the grant: the first second of 2020, UTC. */
const fixedStartMs = 1_577_836_800_000;
/** Each look moves the fixed clock, so that loops that wait for a time end. */
let passedMs = 0;

/**
 * The time for globals. It is a fixed clock while the plugin is set up, and without a want or grant
 * of `clock`: many packages ask for the time without need. `clock.nowMs` is denied instead.
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
