import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AsciiFirst, asciiSource } from './ascii-first-pattern.ts';

const sources = [
  String.raw`(?<![\p{L}\p{N}_$-])[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::)[\p{L}_$]+)?`,
  String.raw`\p{Lu}\p{Ll}+`,
  String.raw`[^\p{L}\p{M}\s]+`,
  String.raw`(?<=\p{N})\p{M}|\P{L}\[\p{L}\]`,
  String.raw`(?<word>\p{L}+)\s*[-–]\s*(\k<word>)?`,
  String.raw`[\]\p{L}[]`,
];
const flags = ['u', 'iu', 'gu', 'giu', 'yu', 'dgu'];
const text = fc.string({ unit: fc.constantFrom(...'aBz ä5É٣é́ſK日_.$-–[]\n') });
const plain = fc.string({ unit: fc.constantFrom(...'aBz 5_.$-[]\n') });

/** What each way of using a pattern gives, and where it stands afterwards. */
function usesOf(pattern: RegExp, text: string, from: number): unknown[] {
  const at = <Value>(use: () => Value) => {
    pattern.lastIndex = from;
    return [use(), pattern.lastIndex];
  };
  return [
    at(() => pattern.exec(text)),
    at(() => pattern.test(text)),
    at(() => text.match(pattern)),
    at(() => text.search(pattern)),
    at(() => text.replace(pattern, '<$&$1>')),
    at(() => text.replace(pattern, (...given) => JSON.stringify(given))),
    at(() => text.split(pattern)),
    at(() => (pattern.global ? [...text.matchAll(pattern)] : [])),
    [pattern.source, pattern.flags, `${pattern}`],
  ];
}

describe('AsciiFirst', () => {
  it('finds what a RegExp finds, however it is used, in ASCII and beyond', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...sources),
        fc.constantFrom(...flags),
        fc.array(fc.tuple(fc.oneof(text, plain), fc.nat(6)), { minLength: 1, maxLength: 4 }),
        (source, flag, texts) => {
          const [first, exact] = [new AsciiFirst(source, flag), new RegExp(source, flag)];
          for (const [each, from] of texts)
            expect(usesOf(first, each, from)).toEqual(usesOf(exact, each, from));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('has no property of letters to compile', () => {
    expect(asciiSource(String.raw`[\p{L}\p{N}_]\p{Lu}\\p{L}`)).toBe(
      String.raw`[a-zA-Z0-9_][A-Z]\\p{L}`,
    );
    expect(asciiSource(String.raw`\P{L}\p{P}`)).toBe(String.raw`\P{L}\p{P}`);
  });
});
