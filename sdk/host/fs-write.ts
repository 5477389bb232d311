import * as host from 'cuervo:host/fs-write@0.1.0';
import { hostCall } from '../host-error.ts';
import { asBytes, asText } from './argument.ts';

/**
 * Creates or replaces a file in one step.
 *
 * @param expectHash SHA-256 of the file as it was read; another one now is a `conflict`
 */
export function writeText(path: string, text: string, expectHash?: string): void {
  const to = asText(path, 'fsWrite.writeText: "path"');
  const kept = asText(text, 'fsWrite.writeText: "text"');
  const expected = hashOf(expectHash, 'fsWrite.writeText: "expectHash"');
  hostCall(() => host.writeText(to, kept, expected));
}

/** As `writeText`, for bytes. */
export function writeBytes(path: string, bytes: Uint8Array, expectHash?: string): void {
  const to = asText(path, 'fsWrite.writeBytes: "path"');
  const kept = asBytes(bytes, 'fsWrite.writeBytes: "bytes"');
  const expected = hashOf(expectHash, 'fsWrite.writeBytes: "expectHash"');
  hostCall(() => host.writeBytes(to, kept, expected));
}

/** With the directories above it; one that exists is fine. */
export function createDir(path: string): void {
  hostCall(() => host.createDir(asText(path, 'fsWrite.createDir: "path"')));
}

/** Renames a file within its root; a name that is taken is a `conflict`. */
export function rename(from: string, to: string): void {
  const old = asText(from, 'fsWrite.rename: "from"');
  const name = asText(to, 'fsWrite.rename: "to"');
  hostCall(() => host.rename(old, name));
}

/** Removes a file or an empty directory. */
export function remove(path: string): void {
  hostCall(() => host.remove(asText(path, 'fsWrite.remove: "path"')));
}

function hashOf(value: string | undefined, what: string): string | undefined {
  return value == null ? undefined : asText(value, what);
}
