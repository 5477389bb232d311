import * as host from 'cuervo:host/clock@0.1.0';
import { hostCall } from '../host-error.ts';

/** Milliseconds since the Unix epoch. */
export function nowMs(): number {
  return hostCall(() => host.nowMs());
}
