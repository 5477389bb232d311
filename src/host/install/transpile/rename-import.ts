/** A function of a core module, as its import section names it. */
export type ImportName = readonly [module: string, name: string];

const importSection = 2;
const functionKind = 0;

/**
 * A core module in which one imported function goes by another name; its type stays. For modules
 * that import nothing but functions.
 *
 * @returns undefined where it is not imported
 * @throws {RangeError} for bytes that are no such module
 */
export function renameImport(
  module: Uint8Array,
  from: ImportName,
  to: ImportName,
): Uint8Array | undefined {
  const reader = createReader(module, 8);
  while (!reader.atEnd()) {
    const start = reader.at();
    const id = reader.take(1)[0];
    const content = reader.take(reader.number());
    if (id !== importSection) continue;
    const renamed = renameIn(content, from, to);
    if (renamed === undefined) return undefined;
    const head = module.subarray(0, start);
    const section = [Uint8Array.of(importSection), number(renamed.byteLength), renamed];
    return Buffer.concat([head, ...section, module.subarray(reader.at())]);
  }
  return undefined;
}

function renameIn(section: Uint8Array, from: ImportName, to: ImportName): Buffer | undefined {
  const reader = createReader(section, 0);
  const count = reader.number();
  const parts: Uint8Array[] = [number(count)];
  let found = false;
  for (let index = 0; index < count; index += 1) {
    const module = reader.take(reader.number());
    const name = reader.take(reader.number());
    const kind = reader.take(1)[0];
    if (kind !== functionKind) throw new RangeError('an import is not a function');
    const type = reader.number();
    const isIt = isText(module, from[0]) && isText(name, from[1]);
    found ||= isIt;
    const names = isIt ? to.map((text) => Buffer.from(text)) : [module, name];
    for (const text of names) parts.push(number(text.byteLength), text);
    parts.push(Uint8Array.of(functionKind), number(type));
  }
  return found ? Buffer.concat(parts) : undefined;
}

function isText(bytes: Uint8Array, text: string): boolean {
  return Buffer.from(bytes).equals(Buffer.from(text));
}

/** LEB128, as short as it goes. */
function number(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return Uint8Array.from([...bytes, left]);
    bytes.push((left % 128) + 128);
  }
}

function createReader(bytes: Uint8Array, start: number) {
  let at = start;
  const take = (length: number): Uint8Array => {
    if (at + length > bytes.byteLength) throw new RangeError('beyond the end');
    at += length;
    return bytes.subarray(at - length, at);
  };
  return {
    take,
    at: () => at,
    atEnd: () => at >= bytes.byteLength,
    number: (): number => {
      let value = 0;
      for (let shift = 0; shift < 35; shift += 7) {
        const byte = take(1)[0] as number;
        value += (byte & 0x7f) * 2 ** shift;
        if (byte < 0x80) return value;
      }
      throw new RangeError('no number of 32 bits');
    },
  };
}
