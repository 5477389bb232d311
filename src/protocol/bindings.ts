import type { ProcessCapability } from '../contracts/capabilities.ts';
import type * as Clock from './gen/interfaces/cuervo-host-clock.js';
import type * as Fs from './gen/interfaces/cuervo-host-fs.js';
import type * as Log from './gen/interfaces/cuervo-host-log.js';
import type * as Tools from './gen/interfaces/cuervo-plugin-tools.js';

/**
 * The contracts as the transpiled glue sees them, generated from `wit/`. Services and calls are
 * checked against these types, so a changed contract stops the build here.
 */
export type ServedInterfaces = {
  [Name in ProcessCapability]: { fs: typeof Fs; clock: typeof Clock; log: typeof Log }[Name];
};

/** `describe` and `call` of a plugin. */
export type GuestTools = typeof Tools;
