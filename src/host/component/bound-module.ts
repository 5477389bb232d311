import { KernelError } from '../../contracts/error.ts';
import { ByteReader, fault } from './byte-reader.ts';
import { headers, hexOf } from './component-sections.ts';
import {
  coreSections,
  type Limits,
  readCoreImport,
  readLimits,
  skipValueType,
} from './core-module.ts';

/** A WebAssembly page, bytes. */
const pageBytes = 65_536;
/** What a memory that is not the main one gets at least, pages: 1 MiB. */
const sidePages = 16;
const maxSections = 10_000;
const maxMemories = 100;
const maxTables = 100;
const maxNameBytes = 100_000;

export type ModuleBounds = {
  /** pages of 64 KiB: one bound for all memories the module defines, or one for each in order */
  maxPages: number | readonly number[];
  /** elements of each table the module defines */
  maxTableElements: number;
};

export type CoreMemory = {
  /** pages of 64 KiB */
  minPages: number;
  maxPages?: number;
  /** true: another module defines it, and is bounded there */
  imported: boolean;
};

/**
 * The module with a maximum on every memory and table it defines. A smaller maximum of its own
 * stays; nothing else changes. The guest sees an ordinary failed `grow` at the bound.
 *
 * @param bytes a core module
 * @throws {KernelError} `plugin-fault` when the module is malformed, an initial size is above the
 *   bound, or a memory is 64-bit, shared or of another page size
 */
export function boundModule(bytes: Uint8Array, bounds: ModuleBounds): Uint8Array {
  const parts: Uint8Array[] = [];
  let copied = 0;
  for (const { id, start, body } of readSections(bytes)) {
    if (id !== 4 && id !== 5) continue;
    const end = body.offset + body.remaining;
    const contents = id === 5 ? boundMemories(body, bounds) : boundTables(bytes, body, bounds);
    parts.push(bytes.subarray(copied, start), Uint8Array.of(id, ...u32(contents.length)));
    parts.push(Uint8Array.from(contents));
    copied = end;
  }
  parts.push(bytes.subarray(copied));
  return Buffer.concat(parts);
}

/** Memories of a core module, imported ones first, as their indices count. */
export function readMemories(bytes: Uint8Array): CoreMemory[] {
  const memories: CoreMemory[] = [];
  for (const { id, body } of readSections(bytes)) {
    if (id === 2) {
      const count = body.count('imports');
      for (let index = 0; index < count; index += 1) {
        const { kind, limits } = readCoreImport(body, maxNameBytes);
        if (kind === 'memory' && limits) memories.push(toMemory(limits, true));
      }
      body.expectEnd('the imports');
    }
    if (id === 5) {
      memories.push(...readMemorySection(body).map((limits) => toMemory(limits, false)));
    }
  }
  return memories;
}

/**
 * Bounds for the memories of all modules of one component, so that their sum is at most
 * `maxBytes`, whichever of them grows.
 *
 * A guest has one memory that holds its heap, recognised by the largest initial size; the others
 * belong to adapters and shims and hardly grow. So each other memory gets what it starts with, or
 * 1 MiB when that is more (never above its own maximum), and the main one all that is left.
 *
 * @param modules core modules of the component, each instantiated once
 * @returns per module the bound of each memory it defines, pages, for `boundModule`
 * @throws {KernelError} `plugin-fault` when the initial sizes do not fit
 */
export function planMemoryBounds(modules: readonly Uint8Array[], maxBytes: number): number[][] {
  const own = modules.map((bytes) => readMemories(bytes).filter(({ imported }) => !imported));
  const all = own.flat();
  const main = all.reduce<CoreMemory | undefined>(
    (largest, memory) => (largest && largest.minPages >= memory.minPages ? largest : memory),
    undefined,
  );
  if (!main) return own.map(() => []);
  const side = ({ minPages, maxPages }: CoreMemory): number =>
    Math.min(Math.max(minPages, sidePages), maxPages ?? Number.POSITIVE_INFINITY);
  const others = all.filter((memory) => memory !== main).reduce((sum, m) => sum + side(m), 0);
  const left = Math.floor(maxBytes / pageBytes) - others;
  if (left < main.minPages) {
    const needed = (others + main.minPages) * pageBytes;
    const count = all.length === 1 ? 'its memory needs' : `its ${all.length} memories need`;
    throw fault(`${count} ${needed} bytes to start with, limit ${maxBytes} for one component`);
  }
  return own.map((memories) =>
    memories.map((memory) => (memory === main ? Math.min(left, 65_536) : side(memory))),
  );
}

function readSections(bytes: Uint8Array): ReturnType<typeof coreSections> {
  if (hexOf(bytes.subarray(0, 8)) !== headers.module) {
    throw fault(
      `malformed at offset 0: no core module, it begins with ${hexOf(bytes.subarray(0, 8))}`,
    );
  }
  return coreSections(new ByteReader(bytes, 8), maxSections);
}

function readMemorySection(body: ByteReader): Limits[] {
  const count = body.count('memories');
  if (count > maxMemories)
    throw fault(`a core module defines ${count} memories, limit ${maxMemories}`);
  const memories = Array.from({ length: count }, () => readLimits(body));
  body.expectEnd('the memories');
  return memories;
}

function toMemory(limits: Limits, imported: boolean): CoreMemory {
  refuseUnusual(limits, 'memory');
  return {
    minPages: limits.min,
    ...(limits.max === undefined ? {} : { maxPages: limits.max }),
    imported,
  };
}

function boundMemories(body: ByteReader, { maxPages }: ModuleBounds): number[] {
  const memories = readMemorySection(body);
  const contents = u32(memories.length);
  for (const [index, limits] of memories.entries()) {
    refuseUnusual(limits, 'memory');
    const bound = typeof maxPages === 'number' ? maxPages : maxPages[index];
    if (bound === undefined) {
      throw new KernelError('internal', `no bound was given for memory ${index} of a core module`);
    }
    contents.push(...boundedLimits(limits, bound, `memory ${index}`, 'pages of 64 KiB'));
  }
  return contents;
}

function boundTables(bytes: Uint8Array, body: ByteReader, bounds: ModuleBounds): number[] {
  const count = body.count('tables');
  if (count > maxTables) throw fault(`a core module defines ${count} tables, limit ${maxTables}`);
  const contents = u32(count);
  for (let index = 0; index < count; index += 1) {
    const start = body.offset;
    // 0x40 0x00 introduces a table whose elements begin with a value other than null
    const withValue = bytes[start] === 0x40;
    if (withValue) body.take(2, 'a table');
    skipValueType(body);
    contents.push(...bytes.subarray(start, body.offset));
    const limits = readLimits(body);
    refuseUnusual(limits, 'table');
    contents.push(...boundedLimits(limits, bounds.maxTableElements, `table ${index}`, 'elements'));
    if (withValue) {
      const valueAt = body.offset;
      skipInitialValue(body);
      contents.push(...bytes.subarray(valueAt, body.offset));
    }
  }
  body.expectEnd('the tables');
  return contents;
}

/** `ref.null`, `ref.func` or `global.get`, then `end`: all that toolchains write here. */
function skipInitialValue(body: ByteReader): void {
  const at = body.offset;
  const opcode = body.u8('the initial value of a table');
  const known = opcode === 0xd0 || opcode === 0xd2 || opcode === 0x23;
  if (known) body.skipNumber('the initial value of a table', 5);
  if (!known || body.u8('the initial value of a table') !== 0x0b) {
    throw fault(`refused at offset ${at}: the initial value of a table is computed`);
  }
}

function boundedLimits(limits: Limits, bound: number, what: string, unit: string): number[] {
  if (limits.min > bound) {
    throw fault(`${what} of a core module starts with ${limits.min} ${unit}, limit ${bound}`);
  }
  return [0x01, ...u32(limits.min), ...u32(Math.min(limits.max ?? bound, bound))];
}

function refuseUnusual(limits: Limits, what: 'memory' | 'table'): void {
  if (limits.wide) throw fault(`a core module has a 64-bit ${what}, which this version refuses`);
  if (limits.shared) throw fault(`a core module has a shared ${what}, which this version refuses`);
  if (limits.customPage) {
    throw fault(`a core module has a ${what} with its own page size, which this version refuses`);
  }
}

/** LEB128 */
function u32(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest % 128;
    rest = Math.floor(rest / 128);
    bytes.push(rest > 0 ? low + 128 : low);
  } while (rest > 0);
  return bytes;
}
