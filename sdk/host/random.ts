import * as host from 'cuervo:host/random@0.1.0';
import { hostCall } from '../host-error.ts';
import { asNumber } from './argument.ts';

/** @param length at most 65,536 */
export function bytes(length: number): Uint8Array {
  return hostCall(() => host.bytes(asNumber(length, 'random.bytes: "length"')));
}
