import * as host from 'cuervo:host/kv@0.1.0';
import { hostCall } from '../host-error.ts';
import { asBytes, asText } from './argument.ts';

/** The value, or undefined when there is none. */
export function get(key: string): Uint8Array | undefined {
  // No value arrives as null in some engines and as undefined in others.
  return hostCall(() => host.get(asText(key, 'kv.get: "key"'))) ?? undefined;
}

export function set(key: string, value: Uint8Array): void {
  const name = asText(key, 'kv.set: "key"');
  const kept = asBytes(value, 'kv.set: "value"');
  hostCall(() => host.set(name, kept));
}

export function remove(key: string): void {
  hostCall(() => host.delete(asText(key, 'kv.remove: "key"')));
}

/** Keys that begin with `prefix`, sorted. */
export function keys(prefix = ''): string[] {
  return hostCall(() => host.keys(asText(prefix, 'kv.keys: "prefix"')));
}

/** A value that was kept as text. */
export function getText(key: string): string | undefined {
  const value = get(key);
  return value === undefined ? undefined : new TextDecoder().decode(value);
}

export function setText(key: string, value: string): void {
  set(key, new TextEncoder().encode(asText(value, 'kv.setText: "value"')));
}
