import { guestHost } from './guest-host.ts';
import { installPrelude, type PreludeHost } from './prelude.ts';

export function setPreludeHost(next: PreludeHost): void {
  Object.assign(guestHost, next, { isSetUp: true });
}

// Runs before the plugin's own modules, whose top level may already use the globals. Nothing but a
// built plugin imports this: it changes globals for good.
installPrelude(guestHost);
