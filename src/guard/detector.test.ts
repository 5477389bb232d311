import { describe, expect, it } from 'vitest';
import { isCardNumber, passesCpf, passesDniLetter, passesMod97 } from './detector.ts';

/** Every digit but one as it is, that one raised by one. */
function withOneWrong(text: string): string[] {
  return [...text].flatMap((character, at) =>
    /\d/.test(character)
      ? [`${text.slice(0, at)}${(Number(character) + 1) % 10}${text.slice(at + 1)}`]
      : [],
  );
}

describe('check digits', () => {
  it.each([
    ['isCardNumber()', isCardNumber, '4111111111111111'],
    ['isCardNumber()', isCardNumber, '378282246310005'],
    ['passesMod97()', passesMod97, 'DE89370400440532013000'],
    ['passesMod97()', passesMod97, 'GB29NWBK60161331926819'],
    ['passesDniLetter()', passesDniLetter, '12345678Z'],
    ['passesDniLetter()', passesDniLetter, 'X1234567L'],
    ['passesCpf()', passesCpf, '52998224725'],
  ])('%s takes a right number and none with one wrong digit', (_name, passes, right) => {
    expect(passes(right)).toBe(true);
    expect(withOneWrong(right).filter(passes)).toEqual([]);
  });

  it('isCardNumber() takes no number that nobody issues, whatever its check digit', () => {
    expect(isCardNumber('0000000000000000')).toBe(false);
    expect(isCardNumber('3301558299140027')).toBe(false);
    expect(isCardNumber('41111111111111')).toBe(false);
  });

  it('passesCpf() takes no row of one digit', () => {
    expect(passesCpf('11111111111')).toBe(false);
  });
});
