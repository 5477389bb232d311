/** @module Interface cuervo:host/kv@0.1.0 **/
export function get(key: string): Uint8Array | undefined;
export function set(key: string, value: Uint8Array): void;
export { _delete as delete };
function _delete(key: string): void;
export function keys(prefix: string): Array<string>;
export type HostError = import('./cuervo-host-types.js').HostError;
