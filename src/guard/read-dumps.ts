import type { MappedText } from './mapped-text.ts';

/** A number within a line; one that opens it, with more digits than a byte has, counts the bytes. */
const numbers = (digits: string): RegExp => new RegExp(String.raw`(?<!\w)${digits}(?!\w)`, 'gim');
const hexBytes = numbers('(?:(?<!^)(?:[0-9a-f]{2}){3,8}|(?:[0-9a-f]{2}){1,2})');

/** How programs show bytes: the form of a number, its base, and how many bytes it has. */
const codes: readonly { number: RegExp; radix: number; bytes?: 1 | 2 }[] = [
  { number: hexBytes, radix: 16 },
  { number: numbers('[0-3][0-7]{2}'), radix: 8, bytes: 1 },
  { number: numbers('[01][0-7]{5}'), radix: 8, bytes: 2 },
  { number: numbers(String.raw`\d{2,3}`), radix: 10, bytes: 1 },
  { number: numbers(String.raw`(?<!^)\d{4,5}`), radix: 10, bytes: 2 },
  { number: numbers('[01]{8}'), radix: 2, bytes: 1 },
];
const minBytes = 8;

/** The bytes that a text shows as numbers, as `xxd`, `od` and `hexdump` do, in both orders. */
export function readDumps(text: string): MappedText[] {
  return codes.flatMap(({ number, radix, bytes }) => {
    const found = [...text.matchAll(number)];
    if (found.length * 2 < minBytes) return [];
    const orders = radix === 16 || bytes === 2 ? [false, true] : [false];
    return orders.map((isTurned) => {
      const view = { text: '', start: [] as number[], end: [] as number[] };
      for (const { 0: shown, index } of found) {
        const size = bytes ?? shown.length / 2;
        const value = radix === 16 ? BigInt(`0x${shown}`) : BigInt(Number.parseInt(shown, radix));
        if (value >= 1n << BigInt(8 * size)) continue;
        const letters = Array.from({ length: size }, (_, at) =>
          String.fromCharCode(Number((value >> BigInt(8 * (size - 1 - at))) & 255n)),
        );
        view.text += (isTurned ? letters.reverse() : letters).join('');
        for (const _ of letters) {
          view.start.push(index);
          view.end.push(index + shown.length);
        }
      }
      return view;
    });
  });
}
