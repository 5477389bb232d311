// Written by `npm run gen` from src/contracts/capabilities.ts.
/** Interfaces of `cuervo:host` that a plugin may want. */
export const capabilityNames = [
  'fs',
  'fs-write',
  'exec',
  'http',
  'memory',
  'tools',
  'kv',
  'clock',
  'random',
  'log',
] as const;
export type CapabilityName = (typeof capabilityNames)[number];
