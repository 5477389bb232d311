import * as host from 'cuervo:host/fs-write@0.1.0';
import { hostCall } from '../host-error.ts';

/**
 * Creates or replaces a file in one step.
 *
 * @param expectHash SHA-256 of the file as it was read; another one now is a `conflict`
 */
export function writeText(path: string, text: string, expectHash?: string): void {
  hostCall(() => host.writeText(path, text, expectHash));
}

/** As `writeText`, for bytes. */
export function writeBytes(path: string, bytes: Uint8Array, expectHash?: string): void {
  hostCall(() => host.writeBytes(path, bytes, expectHash));
}

/** With the directories above it; one that exists is fine. */
export function createDir(path: string): void {
  hostCall(() => host.createDir(path));
}

/** Of a file, within its root; a name that is taken is a `conflict`. */
export function rename(from: string, to: string): void {
  hostCall(() => host.rename(from, to));
}

/** Of a file or an empty directory. */
export function remove(path: string): void {
  hostCall(() => host.remove(path));
}
