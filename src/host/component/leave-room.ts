import { u32 } from './bound-module.ts';
import { ByteReader } from './byte-reader.ts';
import { coreSections, readLimits } from './core-module.ts';

const maxSections = 10_000;
const maxNameBytes = 100_000;
/** Longer ones say nothing more about who made the module. */
const maxProducersBytes = 64 * 1024;

/**
 * A module of Go for WASI preview 1, to which the standard adapter can be added without either writing
 * over the other. The adapter takes two pages by growing the memory once, when it is called first.
 * The allocators of Go from 1.26 on and of TinyGo take it that what they grow lies behind what they
 * have, and use these pages, too; those of C and Rust go by where the memory grew.
 *
 * So the memory begins larger than the module asks for, at the middle between that and its bound:
 * it cannot then be grown so often that what such an allocator believes to own, which begins at
 * the size that the module asked for, reaches the pages of the adapter. Pages that nobody writes
 * take nothing, but half of the bound is lost, and the engine takes some 20 ms more for an
 * instance: what no toolchain of Go has signed is left as it is.
 *
 * @param module a core module that defines its memory
 * @param maxPages what its memory will be bounded to, pages of 64 KiB
 * @returns the module as it is where Go did not make it, or its memory is of another form
 * @throws {KernelError} `plugin-fault` when it is malformed
 */
export function leaveRoom(module: Uint8Array, maxPages: number): Uint8Array {
  let memory: { start: number; end: number; min: number } | undefined;
  let isOfGo = false;
  for (const { id, start, body } of coreSections(new ByteReader(module, 8), maxSections)) {
    const end = body.offset + body.remaining;
    if (id === 0) {
      const name = body.name('the name of a custom section', maxNameBytes);
      const bytes = module.subarray(body.offset, Math.min(end, body.offset + maxProducersBytes));
      isOfGo ||= name === 'go:buildid';
      isOfGo ||=
        name === 'producers' && /\bGo\b|TinyGo/.test(Buffer.from(bytes).toString('latin1'));
    }
    if (id !== 5 || body.count('memories') !== 1) continue;
    const { min, shared, wide, customPage } = readLimits(body);
    if (!shared && !wide && !customPage) memory = { start, end, min };
  }
  if (memory === undefined || !isOfGo || memory.min >= maxPages) return module;
  const { start, end, min } = memory;
  const content = [1, 1, ...u32(Math.ceil((min + maxPages) / 2)), ...u32(maxPages)];
  return Buffer.concat([
    module.subarray(0, start),
    Uint8Array.of(5, content.length, ...content),
    module.subarray(end),
  ]);
}
