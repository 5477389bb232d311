/** `structuredClone` for plain data, dates, maps, sets, errors and bytes, cycles included. */
export function cloneStructured<Value>(value: Value): Value {
  return clone(value, new Map()) as Value;
}

function clone(value: unknown, seen: Map<object, unknown>): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') {
    throw new TypeError(`a ${typeof value} cannot be cloned`);
  }
  if (typeof value !== 'object' || value === null) return value;
  const known = seen.get(value);
  if (known !== undefined) return known;
  if (value instanceof Date) return remember(seen, value, new Date(value.getTime()));
  if (value instanceof RegExp) return remember(seen, value, new RegExp(value.source, value.flags));
  if (value instanceof ArrayBuffer) return remember(seen, value, value.slice(0));
  if (ArrayBuffer.isView(value)) {
    const view = value as Uint8Array;
    return remember(seen, value, view.slice ? view.slice() : view);
  }
  if (value instanceof Map) {
    const copy = remember(seen, value, new Map());
    for (const [key, item] of value) copy.set(clone(key, seen), clone(item, seen));
    return copy;
  }
  if (value instanceof Set) {
    const copy = remember(seen, value, new Set());
    for (const item of value) copy.add(clone(item, seen));
    return copy;
  }
  if (value instanceof Error) {
    const copy = remember(seen, value, new Error(value.message));
    copy.name = value.name;
    return copy;
  }
  const copy = remember(seen, value, (Array.isArray(value) ? [] : {}) as Record<string, unknown>);
  for (const [key, item] of Object.entries(value)) copy[key] = clone(item, seen);
  return copy;
}

function remember<Copy>(seen: Map<object, unknown>, original: object, copy: Copy): Copy {
  seen.set(original, copy);
  return copy;
}
