import { installPrelude, type PreludeHost } from './prelude.ts';

const host: PreludeHost = {};

/** Host calls for the globals; until this is called, and where one is missing, they say so or drop. */
export function setPreludeHost(next: PreludeHost): void {
  Object.assign(host, next);
}

// Runs before the plugin's own modules, whose top level may already use the globals.
installPrelude(host);
