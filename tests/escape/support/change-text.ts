import fc from 'fast-check';

type Edit = { at: number; cut: number; put: string };

/** Characters that have a meaning in one of the forms that are read here, and some that have none. */
const pieces = [
  ...[
    '"',
    "'",
    '[',
    ']',
    '[[',
    ']]',
    '{',
    '}',
    ',',
    ':',
    '=',
    '\\',
    '#',
    '\n',
    ' ',
    '\0',
    '\u202e',
  ],
  ...[
    '..',
    '/',
    '*',
    '-',
    '1e999',
    '-0',
    'null',
    'true',
    '__proto__',
    '"constructor":1,',
    '\ud800',
  ],
];

/**
 * Some texts of a form that is read, each changed at a few places: close enough to be read at
 * times, and never the same.
 */
export function changedText(originals: readonly string[]): fc.Arbitrary<string> {
  const edit: fc.Arbitrary<Edit> = fc.record({
    at: fc.noBias(fc.nat(999_999)),
    cut: fc.nat(12),
    put: fc.oneof(
      fc.constant(''),
      fc.constantFrom(...pieces),
      fc.string({ unit: 'binary', maxLength: 8 }),
    ),
  });
  return fc
    .tuple(fc.constantFrom(...originals), fc.array(edit, { minLength: 1, maxLength: 4 }))
    .map(([text, edits]) =>
      edits.reduce((changed, { at, cut, put }) => {
        const place = Math.floor((at / 1_000_000) * (changed.length + 1));
        return changed.slice(0, place) + put + changed.slice(place + cut);
      }, text),
    );
}
