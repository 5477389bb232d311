/** From so many letters on two slips are thought of. */
const longWord = 9;

/**
 * The word that was meant by a misspelled one: the nearest word of some lines, and the most frequent
 * of several.
 *
 * @param written lower case
 */
export function nearWord(written: string, lines: readonly string[]): string | undefined {
  const most = written.length >= longWord ? 2 : 1;
  const found = new Map<string, { far: number; count: number }>();
  for (const line of lines) {
    const parts =
      line
        .replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
        .toLowerCase()
        .match(/[a-z]+/g) ?? [];
    for (const part of parts) {
      if (Math.abs(part.length - written.length) > most) continue;
      const known = found.get(part);
      const far = known?.far ?? slipsBetween(written, part, most);
      found.set(part, { far, count: (known?.count ?? 0) + 1 });
    }
  }
  const near = [...found].filter(([, { far }]) => far <= most);
  const [best] = near.toSorted(
    ([, one], [, other]) => one.far - other.far || other.count - one.count,
  );
  return best?.[0];
}

/** Letters that are wrong, missing, too many, or in each other's place; `most + 1` for any more. */
export function slipsBetween(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let [before, last]: [number[], number[]] = [
    [],
    Array.from({ length: other.length + 1 }, (_, at) => at),
  ];
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row];
    for (let at = 1; at <= other.length; at += 1) {
      const isSame = one[row - 1] === other[at - 1];
      const isTurned = one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
      next[at] = Math.min(
        (last[at] as number) + 1,
        (next[at - 1] as number) + 1,
        (last[at - 1] as number) + (isSame ? 0 : 1),
        isTurned ? (before[at - 2] as number) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, last] = [last, next];
  }
  return Math.min(last[other.length] as number, most + 1);
}
