/** @module Interface cuervo:host/fs-write@0.1.0 **/
/**
 * Creates or replaces, atomically. With `expect-hash` the call is a
 * `conflict` when the file is no longer what the plugin read.
 */
export function writeText(path: string, text: string, expectHash: string | undefined): void;
export function writeBytes(path: string, bytes: Uint8Array, expectHash: string | undefined): void;
export function createDir(path: string): void;
export function rename(old: string, new_: string): void;
export function remove(path: string): void;
export type HostError = import('./cuervo-host-types.js').HostError;
