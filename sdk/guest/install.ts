import { installPrelude, type PreludeHost } from './prelude.ts';

/** Host calls that globals are built on; absent until they are set, and where they are not wanted. */
export const guestHost: PreludeHost = {};

export function setPreludeHost(next: PreludeHost): void {
  Object.assign(guestHost, next, { isSetUp: true });
}

// Runs before the plugin's own modules, whose top level may already use the globals.
installPrelude(guestHost);
