/** @module Interface cuervo:host/random@0.1.0 **/
/**
 * at most 65,536 bytes; the recorded bytes during replay
 */
export function bytes(length: number): Uint8Array;
export type HostError = import('./cuervo-host-types.js').HostError;
