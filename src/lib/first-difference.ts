type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/**
 * The first place where two values of JSON differ, as a JSON pointer (RFC 6901); undefined where
 * there is none. What one of them lacks is null there.
 */
export function firstDifference(
  left: Json,
  right: Json,
  path = '',
): { path: string; left: Json; right: Json } | undefined {
  if (left === right) return undefined;
  if (!isNested(left) || !isNested(right) || Array.isArray(left) !== Array.isArray(right))
    return { path, left, right };
  const one = new Map(Object.entries(left));
  const other = new Map(Object.entries(right));
  for (const key of new Set([...one.keys(), ...other.keys()])) {
    const place = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const values = [one.get(key), other.get(key)] as const;
    const [from = null, to = null] = values;
    if (values.includes(undefined)) return { path: place, left: from, right: to };
    const found = firstDifference(from, to, place);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isNested(value: Json): value is Json[] | { [key: string]: Json } {
  return typeof value === 'object' && value !== null;
}
