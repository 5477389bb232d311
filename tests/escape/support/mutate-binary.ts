import fc from 'fast-check';

/** One change of a binary; places are parts of its length, so that they fit every binary. */
type Change = {
  kind: 'flip' | 'set' | 'cut' | 'repeat' | 'insert' | 'end';
  at: number;
  value: number;
  length: number;
};

export type Mutation = { which: number; changes: Change[] };

const place = {
  // Without bias: small numbers would all be the first sections of a file.
  at: fc.noBias(fc.nat(999_999)).map((part) => part / 1_000_000),
  value: fc.nat(255),
  length: fc.integer({ min: 1, max: 16 }),
};
const kinds = ['flip', 'set', 'cut', 'repeat', 'insert', 'end'] as const;
const change: fc.Arbitrary<Change> = fc.record({ ...place, kind: fc.constantFrom(...kinds) });
/** One byte, which may leave a whole that can be read. */
const small: fc.Arbitrary<Change> = fc.record({
  ...place,
  kind: fc.constantFrom('flip' as const, 'set' as const),
});

/** Changes of one of `originals` binaries, the same for the same seed. */
export function mutations(options: { originals: number; count: number; seed: number }): Mutation[] {
  const arbitrary = fc.record({
    which: fc.nat(options.originals - 1),
    changes: fc.oneof(
      { weight: 3, arbitrary: fc.array(small, { minLength: 1, maxLength: 2 }) },
      { weight: 1, arbitrary: fc.array(change, { minLength: 1, maxLength: 4 }) },
    ),
  });
  return fc.sample(arbitrary, { seed: options.seed, numRuns: options.count });
}

/** @param original its header stays: without it there is nothing to read */
export function mutate(original: Uint8Array, changes: readonly Change[]): Uint8Array {
  return changes.reduce((bytes, { kind, at, value, length }) => {
    const place = 8 + Math.floor(at * Math.max(0, bytes.length - 8));
    const before = bytes.subarray(0, place);
    const rest = bytes.subarray(place);
    switch (kind) {
      case 'flip':
        return Buffer.concat([
          before,
          Uint8Array.of((rest[0] ?? 0) ^ (1 << (value % 8))),
          rest.subarray(1),
        ]);
      case 'set':
        return Buffer.concat([before, Uint8Array.of(value), rest.subarray(1)]);
      case 'cut':
        return Buffer.concat([before, rest.subarray(length)]);
      case 'repeat':
        return Buffer.concat([before, rest.subarray(0, length), rest]);
      case 'insert':
        return Buffer.concat([before, new Uint8Array(length).fill(value), rest]);
      default:
        return Buffer.from(before);
    }
  }, original as Uint8Array);
}
