import * as host from 'cuervo:host/kv@0.1.0';
import { hostCall } from '../host-error.ts';

/** The value, or undefined when there is none. */
export function get(key: string): Uint8Array | undefined {
  // No value arrives as null in some engines and as undefined in others.
  return hostCall(() => host.get(key)) ?? undefined;
}

export function set(key: string, value: Uint8Array): void {
  hostCall(() => host.set(key, value));
}

export function remove(key: string): void {
  hostCall(() => host.delete(key));
}

/** Keys that begin with `prefix`, sorted. */
export function keys(prefix = ''): string[] {
  return hostCall(() => host.keys(prefix));
}

/** A value that was kept as text. */
export function getText(key: string): string | undefined {
  const value = get(key);
  return value === undefined ? undefined : new TextDecoder().decode(value);
}

export function setText(key: string, value: string): void {
  set(key, new TextEncoder().encode(value));
}
