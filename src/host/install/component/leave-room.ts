import { u32 } from './bound-module.ts';
import { ByteReader } from './byte-reader.ts';
import { coreSections, maxCoreNameBytes, maxCoreSections, readLimits } from './core-module.ts';

/** Bytes of the section on producers; a longer one says nothing more. */
const maxProducersBytes = 64 * 1024;

/** Pages that the adapter adds to a memory once, for its stack and state. */
const adapterPages = 2;
/** How Go 1.23 and those before it sign. */
const olderGo = /\bgo1\.(?:2[0-3]|1\d|\d)(?!\d)/;

/**
 * A module of Go for WASI preview 1, to which the standard adapter can be added without either writing
 * over the other. The adapter takes two pages by growing the memory once, when it is called first.
 * The allocators of Go from 1.24 on and of TinyGo look at the size of the memory when they start,
 * and take it that what they grow lies behind that; they use the pages of the adapter, too. Those
 * of C, Rust and Go before 1.24 go by where the memory grew.
 *
 * So the memory begins with all that it may have but the pages of the adapter, and nothing is left
 * to grow. Pages that nobody writes take nothing, but the engine takes some 20 ms more for an
 * instance: what no such toolchain has signed is left as it is.
 *
 * @param module a core module that defines its memory
 * @param maxPages what its memory will be bounded to, pages of 64 KiB
 * @returns the module as it is where Go did not make it, or its memory is of another form
 * @throws {KernelError} `plugin-fault` when it is malformed
 */
export function leaveRoom(module: Uint8Array, maxPages: number): Uint8Array {
  let memory: { start: number; end: number; min: number } | undefined;
  let isOfGo = false;
  let isOld = false;
  for (const { id, start, body } of coreSections(new ByteReader(module, 8), maxCoreSections)) {
    const end = body.offset + body.remaining;
    if (id === 0) {
      const name = body.name('the name of a custom section', maxCoreNameBytes);
      const bytes = module.subarray(body.offset, Math.min(end, body.offset + maxProducersBytes));
      const text = name === 'producers' ? Buffer.from(bytes).toString('latin1') : '';
      isOfGo ||= name === 'go:buildid' || /\bGo\b|TinyGo/.test(text);
      isOld ||= olderGo.test(text);
    }
    if (id !== 5 || body.count('memories') !== 1) continue;
    const { min, shared, wide, customPage } = readLimits(body);
    if (!shared && !wide && !customPage) memory = { start, end, min };
  }
  const minPages = maxPages - adapterPages;
  if (memory === undefined || !isOfGo || isOld || memory.min >= minPages) return module;
  const { start, end } = memory;
  const content = [1, 1, ...u32(minPages), ...u32(maxPages)];
  return Buffer.concat([
    module.subarray(0, start),
    Uint8Array.of(5, content.length, ...content),
    module.subarray(end),
  ]);
}
