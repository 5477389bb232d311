import type { CoreType } from './core-module.ts';
import { leb128, listBytes, nameBytes, sectionBytes } from './wasm-bytes.ts';

const preamble = Uint8Array.of(0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00);
/** No locals, the instruction `unreachable`, the end. */
const trapping = Uint8Array.of(3, 0x00, 0x00, 0x0b);
const empty = Uint8Array.of(2, 0x00, 0x0b);

/** `isIdle`: it comes back and does nothing, which only a function without a result can. */
export type TrapFunction = { name: string; type: CoreType; isIdle?: boolean };

/** A core module without imports, whose functions trap. */
export function trapModule(functions: readonly TrapFunction[]): Uint8Array {
  const numbers = functions.map((_, index) => Uint8Array.from(leb128(index)));
  return Buffer.concat([
    preamble,
    sectionBytes(1, listBytes(functions.map(({ type }) => type))),
    sectionBytes(3, listBytes(numbers)),
    sectionBytes(
      7,
      listBytes(
        functions.map(({ name }, index) =>
          Buffer.concat([nameBytes(name), Uint8Array.from([0, ...leb128(index)])]),
        ),
      ),
    ),
    sectionBytes(10, listBytes(functions.map(({ isIdle }) => (isIdle ? empty : trapping)))),
  ]);
}
