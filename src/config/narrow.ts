/** A key that would give a project more than there is. */
export type Ignored = { key: string; wanted: number; held: number };

/**
 * The smaller of each two values. A project lowers limits and never raises one: a raised limit has
 * no effect and is reported.
 *
 * @param names of the keys in the file, for the report
 */
export function narrow<Values extends Readonly<Record<string, number>>>(
  held: Values,
  wanted: Readonly<Partial<Record<keyof Values, number>>>,
  names: Readonly<Partial<Record<keyof Values, string>>>,
): { values: Values; ignored: Ignored[] } {
  const values: Record<string, number> = { ...held };
  const ignored: Ignored[] = [];
  for (const [name, limit] of Object.entries(held)) {
    const asked = wanted[name];
    if (asked === undefined) continue;
    if (asked > limit) ignored.push({ key: names[name] ?? name, wanted: asked, held: limit });
    else values[name] = asked;
  }
  return { values: values as Values, ignored };
}
