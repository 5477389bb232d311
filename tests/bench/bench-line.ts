/** One measured figure, as `npm run bench -- --json` prints it. */
export type BenchLine = {
  name: string;
  /** median; null when it could not be measured, and `note` says why */
  value: number | null;
  unit: 'ms' | 's' | 'MB' | 'recall' | 'fragments' | 'tokens';
  /** samples behind `value` */
  runs: number;
  /** what it was measured beside, in the same run */
  peer?: string;
  peerValue?: number;
  /** value / peerValue */
  ratio?: number;
  /** `<= 0.8x` (of the peer), `<= 1000 ms`, `< 90 MB`, `<= 1.5x + 40 ms`, or `reported` */
  reach: string;
  ok: boolean;
  note?: string;
};

export type Measured = {
  value: number;
  runs: number;
  peer?: string | undefined;
  peerValue?: number | undefined;
  note?: string | undefined;
};

/** The line of what was measured; without a peer's value there is no ratio. */
export function benchLine({ name, unit, reach }: Target, measured: Measured): BenchLine {
  const { value, runs, peer, peerValue, note } = measured;
  const ratio = peerValue === undefined ? undefined : value / peerValue;
  return {
    name,
    value: round(value),
    unit,
    runs,
    ...(peer === undefined ? {} : { peer }),
    ...(peerValue === undefined ? {} : { peerValue: round(peerValue) }),
    ...(ratio === undefined ? {} : { ratio: round(ratio) }),
    reach,
    ok: isReached(reach, { value, unit, ratio }),
    ...(note === undefined ? {} : { note }),
  };
}

/** What a bench is called, and what it has to reach. */
export type Target = Pick<BenchLine, 'name' | 'unit' | 'reach'>;

/** The line of what could not be measured. It is not in reach: nothing was shown. */
export function failedLine({ name, unit, reach }: Target, note: string): BenchLine {
  return { name, value: null, unit, runs: 0, reach, ok: false, note };
}

/**
 * @param reach see {@link BenchLine}; a bound on a ratio is not reached without one
 * @throws {RangeError} for a text that is not a bound, or one in another unit
 */
export function isReached(
  reach: string,
  measured: { value: number; unit: string; ratio: number | undefined },
): boolean {
  if (reach === 'reported') return true;
  const [, sign, number, unit, more] =
    /^(<=|<|>=) ([\d.]+)(x| ms| s| MB| recall| fragments| tokens)(?: \+ ([\d.]+) ms)?$/.exec(
      reach,
    ) ?? [];
  if (sign === undefined || unit === undefined) throw new RangeError(`"${reach}" is not a bound`);
  if (more !== undefined && unit !== 'x') throw new RangeError(`"${reach}" is not a bound`);
  if (more !== undefined) {
    const { value, ratio } = measured;
    return ratio !== undefined && value <= Number(number) * (value / ratio) + Number(more);
  }
  const isRatio = unit === 'x';
  if (!isRatio && unit.trim() !== measured.unit) {
    throw new RangeError(`"${reach}" bounds a figure in ${measured.unit}`);
  }
  const figure = isRatio ? measured.ratio : measured.value;
  if (figure === undefined) return false;
  if (sign === '>=') return figure >= Number(number);
  return sign === '<' ? figure < Number(number) : figure <= Number(number);
}

/** Four digits that count: more are noise. */
function round(value: number): number {
  return Number(value.toPrecision(4));
}
