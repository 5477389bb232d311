import type { ValueType } from '../../../protocol/value-type.ts';
import { fault } from './byte-reader.ts';
import type { TypeRef } from './component-types.ts';

/** Parts of one function's written-out types; a longer schema is not readable. */
const maxParts = 1_000;
const maxDepth = 24;
/** Items of a list whose length is part of its type. */
const maxFixedLength = 10_000;

/**
 * Types written out in full, so that they can be told as JSON Schema. A type that is used twice
 * is written twice, which a hostile file can double as often as it has types: hence the bounds.
 *
 * @returns a function that writes out one type; all of its calls share one bound
 * @throws {KernelError} `plugin-fault` with what the type holds that has no JSON
 */
export function createTypeExpander(): (type: TypeRef) => ValueType {
  let parts = 0;

  function expand(type: TypeRef, depth: number): ValueType {
    parts += 1;
    if (parts > maxParts) throw fault(`its types have more than ${maxParts} parts`);
    if (depth > maxDepth) throw fault(`its types are nested deeper than ${maxDepth} levels`);
    if (typeof type === 'string') return { kind: type };
    const inner = (ref: TypeRef): ValueType => expand(ref, depth + 1);
    switch (type.sort) {
      case 'alias':
        return { kind: type.of };
      case 'list':
        if (type.length === undefined) return { kind: 'list', of: inner(type.of) };
        if (type.length > maxFixedLength) {
          throw fault(`it has a list of ${type.length} items, limit ${maxFixedLength}`);
        }
        return { kind: 'list', of: inner(type.of), length: type.length };
      case 'map':
        return { kind: 'map', key: inner(type.key), value: inner(type.value) };
      case 'tuple':
        return { kind: 'tuple', of: type.of.map(inner) };
      case 'option':
        return { kind: 'option', of: inner(type.of) };
      case 'result':
        return {
          kind: 'result',
          ...(type.ok === undefined ? {} : { ok: inner(type.ok) }),
          ...(type.error === undefined ? {} : { error: inner(type.error) }),
        };
      case 'record':
        return {
          kind: 'record',
          fields: type.fields.map((field) => ({ name: field.name, type: inner(field.type) })),
        };
      case 'variant':
        return {
          kind: 'variant',
          cases: type.cases.map((each) => ({
            name: each.name,
            ...(each.type === undefined ? {} : { type: inner(each.type) }),
          })),
        };
      case 'enum':
      case 'flags':
        parts += type.names.length;
        return { kind: type.sort, names: type.names };
      case 'handle':
        throw fault(`it takes or gives ${type.what}`);
      default:
        throw fault(`it takes or gives a ${type.sort}`);
    }
  }

  return (type) => expand(type, 0);
}
