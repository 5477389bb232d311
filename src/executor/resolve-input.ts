import { KernelError } from '../contracts/error.ts';
import type { InputRef, StepInput } from '../contracts/plan.ts';
import type { Json, JsonObject } from '../contracts/tool.ts';

function isInputRef(value: unknown): value is InputRef {
  return typeof value === 'object' && value !== null && '$from' in value && 'path' in value;
}

/**
 * The input with every reference replaced by the value it points at.
 *
 * @param outputs parsed content of the finished steps, by step id
 * @throws {KernelError} `not-found` when an output has nothing at that place
 */
export function resolveInput(input: StepInput, outputs: ReadonlyMap<string, Json>): JsonObject {
  return resolveValue(input, outputs) as JsonObject;
}

function resolveValue(value: Json, outputs: ReadonlyMap<string, Json>): Json {
  if (isInputRef(value)) return followRef(value, outputs);
  if (Array.isArray(value)) return value.map((item) => resolveValue(item, outputs));
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, item]): [string, Json] => [
      key,
      resolveValue(item, outputs),
    ]);
    return Object.fromEntries(entries);
  }
  return value;
}

function followRef(ref: InputRef, outputs: ReadonlyMap<string, Json>): Json {
  let value: Json | undefined = outputs.get(ref.$from);
  const tokens = ref.path === '' ? [] : ref.path.slice(1).split('/');
  for (const token of tokens) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    value = valueAt(value, key);
  }
  if (value === undefined) {
    throw new KernelError('not-found', `step ${ref.$from} returned nothing at ${ref.path}`);
  }
  return value;
}

function valueAt(holder: Json | undefined, key: string): Json | undefined {
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, key))
    return undefined;
  // A list has items and nothing else; `length` is JavaScript's.
  if (Array.isArray(holder)) return /^\d+$/.test(key) ? holder[Number(key)] : undefined;
  return holder[key];
}
