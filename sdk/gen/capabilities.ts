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
/** The functions of each interface. */
export type HostInterfaces = {
  'fs': typeof import('cuervo:host/fs@0.1.0');
  'fs-write': typeof import('cuervo:host/fs-write@0.1.0');
  'exec': typeof import('cuervo:host/exec@0.1.0');
  'http': typeof import('cuervo:host/http@0.1.0');
  'memory': typeof import('cuervo:host/memory@0.1.0');
  'tools': typeof import('cuervo:host/tools@0.1.0');
  'kv': typeof import('cuervo:host/kv@0.1.0');
  'clock': typeof import('cuervo:host/clock@0.1.0');
  'random': typeof import('cuervo:host/random@0.1.0');
  'log': typeof import('cuervo:host/log@0.1.0');
};
