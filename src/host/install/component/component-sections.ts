import type { ByteReader } from './byte-reader.ts';
import { fault } from './byte-reader.ts';

/** Sections of a file, those of nested components included. */
export const maxSections = 10_000;

/** The first eight bytes as hex: the magic number and what follows it. */
export const headers = {
  module: '00 61 73 6d 01 00 00 00',
  component: '00 61 73 6d 0d 00 01 00',
} as const;

export type ComponentSection = { id: number; start: number; body: ByteReader };

/**
 * The sections of a component behind its header, in order; they may repeat in any order.
 *
 * @param budget shared by all components of a file, so that nesting multiplies nothing
 */
export function* componentSections(
  reader: ByteReader,
  budget: { sections: number },
): Generator<ComponentSection, void, undefined> {
  while (reader.remaining > 0) {
    const start = reader.offset;
    budget.sections -= 1;
    if (budget.sections < 0) {
      throw fault(`refused at offset ${start}: more than ${maxSections} sections`);
    }
    const id = reader.u8('a section id');
    if (id > 12) throw fault(`malformed at offset ${start}: unknown section id ${id}`);
    const length = reader.u32('the length of a section');
    yield { id, start, body: reader.range(length, `section ${id} of ${length} bytes`) };
  }
}

/** The next bytes as hex, as in `00 61 73 6d`. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(' ');
}
