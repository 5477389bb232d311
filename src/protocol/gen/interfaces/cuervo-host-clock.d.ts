/** @module Interface cuervo:host/clock@0.1.0 **/
/**
 * milliseconds since the Unix epoch; the recorded value during replay
 */
export function nowMs(): number;
export type HostError = import('./cuervo-host-types.js').HostError;
