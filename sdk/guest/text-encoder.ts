/** `TextEncoder` for engines without one. */
export class GuestTextEncoder {
  readonly encoding = 'utf-8';

  encode(text = ''): Uint8Array {
    const source = String(text);
    const into = new Uint8Array(source.length * 3);
    return into.slice(0, write(source, into).written);
  }

  encodeInto(text: string, into: Uint8Array): { read: number; written: number } {
    return write(String(text), into);
  }
}

/** Whole characters, as many as there is room for. */
function write(text: string, into: Uint8Array): { read: number; written: number } {
  let at = 0;
  let read = 0;
  while (read < text.length) {
    let point = text.codePointAt(read) as number;
    const units = point > 0xffff ? 2 : 1;
    // A lone surrogate has no UTF-8 form; the standard writes U+FFFD for it.
    if (point >= 0xd800 && point <= 0xdfff) point = 0xfffd;
    const length = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (at + length > into.length) break;
    if (length === 1) into[at] = point;
    else {
      into[at] = (length === 2 ? 0xc0 : length === 3 ? 0xe0 : 0xf0) | (point >> (6 * (length - 1)));
      for (let left = length - 2, next = at + 1; left >= 0; left -= 1, next += 1) {
        into[next] = 0x80 | ((point >> (6 * left)) & 63);
      }
    }
    at += length;
    read += units;
  }
  return { read, written: at };
}
