import type { ValueType } from '../../protocol/value-type.ts';

/**
 * Whether glue writes an option of these values as the value or `undefined`. Where the value could
 * be `undefined` itself it has a tag, and an option of that one is plain again.
 *
 * @param of what is optional
 */
export function isPlainOption(of: ValueType): boolean {
  return of.kind !== 'option' || !isPlainOption(of.of);
}
