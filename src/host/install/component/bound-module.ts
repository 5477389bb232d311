import { KernelError } from '../../../contracts/error.ts';
import { ByteReader, fault } from './byte-reader.ts';
import { headers, hexOf } from './component-externs.ts';
import {
  coreSections,
  type Limits,
  maxCoreNameBytes,
  maxCoreSections,
  pageBytes,
  readCoreImport,
  readLimits,
  skipValueType,
} from './core-module.ts';

/** A memory's or table's declared size, in pages or elements. */
export type Declared = { min: number; max?: number };

/**
 * Shares a total out among memories (or tables), so that the sum of all bounds is at most the
 * total, whichever of them grows.
 *
 * A guest has one memory that holds its heap and one table that holds its functions, recognised by
 * the largest initial size; the others belong to adapters and shims and hardly grow. So each other
 * one gets what it starts with, or `side` when that is more (never above its own maximum), and the
 * main one all that is left. A component that was composed of several has a heap for each: those
 * share what is left.
 *
 * @param shares.heap what starts with so much is a heap, too; without it there is one
 * @returns one bound each, in order
 * @returns a single number instead when they do not fit: what they need to start with
 */
function splitMemoryLimit(
  all: readonly Declared[],
  { total, side, heap = Number.POSITIVE_INFINITY }: { total: number; side: number; heap?: number },
): number[] | number {
  const main = all.reduce(
    (largest, { min }, index) => (min > (all[largest]?.min ?? 0) ? index : largest),
    0,
  );
  const bounds = all.map(({ min, max }) =>
    Math.min(Math.max(min, side), max ?? Number.POSITIVE_INFINITY),
  );
  const isHeap = ({ min }: Declared, index: number): boolean => index === main || min >= heap;
  const least = all.map((each, index) => (isHeap(each, index) ? each.min : (bounds[index] ?? 0)));
  const needed = least.reduce((sum, pages) => sum + pages, 0);
  if (needed > total) return needed;
  const heaps = all.filter(isHeap).length;
  const share = Math.floor((total - needed) / Math.max(1, heaps));
  const shared = all.map((each, index) => {
    const bound = least[index] ?? 0;
    if (!isHeap(each, index)) return bound;
    return Math.max(bound, Math.min(bound + share, each.max ?? Number.POSITIVE_INFINITY));
  });
  // Room that another's own maximum leaves over, and the indivisible rest.
  const rest = shared.reduce((sum, bound, index) => (index === main ? sum : sum + bound), 0);
  return shared.map((bound, index) => (index === main ? total - rest : bound));
}

/** Pages that each further memory gets at least: 1 MiB. */
const sidePages = 16;
/** Pages that toolchains give a heap at the start, because of the stack before it. */
const heapPages = 16;
/** Elements that each further table gets at least. */
const sideElements = 1_024;
/** All that 32-bit addresses reach. */
const maxPages32 = 65_536;
const maxMemories = 100;
const maxTables = 100;

export type ModuleBounds = {
  /** pages of 64 KiB: one bound for all memories the module defines, or one for each in order */
  maxPages: number | readonly number[];
  /** elements: one bound for all tables the module defines, or one for each in order */
  maxTableElements: number | readonly number[];
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
        const { kind, limits } = readCoreImport(body, maxCoreNameBytes);
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
 * Bounds for the memories of all modules of one component: their sum is at most `maxBytes`. The
 * memory with the largest initial size gets what the others leave, or its share of that where others
 * are heaps, too (see `splitMemoryLimit`).
 *
 * @param modules core modules of the component, each instantiated once
 * @returns per module the bound of each memory it defines, pages, for `boundModule`
 * @throws {KernelError} `plugin-fault` when the initial sizes do not fit
 */
export function planMemoryBounds(modules: readonly Uint8Array[], maxBytes: number): number[][] {
  const own = modules.map((bytes) =>
    readMemories(bytes)
      .filter(({ imported }) => !imported)
      .map(({ minPages, maxPages }) => ({
        min: minPages,
        ...(maxPages === undefined ? {} : { max: maxPages }),
      })),
  );
  const total = Math.floor(maxBytes / pageBytes);
  const bounds = splitMemoryLimit(own.flat(), { total, side: sidePages, heap: heapPages });
  if (typeof bounds === 'number') {
    const count = own.flat().length;
    const who = count === 1 ? 'its memory needs' : `its ${count} memories need`;
    throw fault(
      `${who} ${bounds * pageBytes} bytes to start with, limit ${maxBytes} for one component (limits.max-memory-bytes)`,
    );
  }
  return byModule(
    own,
    bounds.map((pages) => Math.min(pages, maxPages32)),
  );
}

/**
 * Bounds for the tables of all modules of one component: their sum is at most `maxElements`.
 *
 * @returns per module the bound of each table it defines, elements, for `boundModule`
 * @throws {KernelError} `plugin-fault` when the initial sizes do not fit
 */
export function planTableBounds(modules: readonly Uint8Array[], maxElements: number): number[][] {
  const own = modules.map((bytes) => {
    for (const { id, body } of readSections(bytes)) {
      if (id === 4) return readTableSection(bytes, body).map(({ limits }) => limits);
    }
    return [];
  });
  const bounds = splitMemoryLimit(own.flat(), { total: maxElements, side: sideElements });
  if (typeof bounds === 'number') {
    const count = own.flat().length;
    const who = count === 1 ? 'its table needs' : `its ${count} tables need`;
    throw fault(`${who} ${bounds} elements to start with, limit ${maxElements} for one component`);
  }
  return byModule(own, bounds);
}

function byModule(own: readonly unknown[][], bounds: readonly number[]): number[][] {
  let next = 0;
  return own.map(({ length }) => {
    next += length;
    return bounds.slice(next - length, next);
  });
}

function readSections(bytes: Uint8Array): ReturnType<typeof coreSections> {
  if (hexOf(bytes.subarray(0, 8)) !== headers.module) {
    throw fault(
      `malformed at offset 0: no core module, it begins with ${hexOf(bytes.subarray(0, 8))}`,
    );
  }
  return coreSections(new ByteReader(bytes, 8), maxCoreSections);
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
  return [
    ...u32(memories.length),
    ...memories.flatMap((limits, index) => {
      refuseUnusual(limits, 'memory');
      return boundedLimits(limits, maxPages, { what: 'memory', index, unit: 'pages of 64 KiB' });
    }),
  ];
}

function boundTables(bytes: Uint8Array, body: ByteReader, bounds: ModuleBounds): number[] {
  const tables = readTableSection(bytes, body);
  return [
    ...u32(tables.length),
    ...tables.flatMap(({ type, limits, value }, index) => [
      ...type,
      ...boundedLimits(limits, bounds.maxTableElements, { what: 'table', index, unit: 'elements' }),
      ...value,
    ]),
  ];
}

type CoreTable = { type: Uint8Array; limits: Limits; value: Uint8Array };

function readTableSection(bytes: Uint8Array, body: ByteReader): CoreTable[] {
  const count = body.count('tables');
  if (count > maxTables) throw fault(`a core module defines ${count} tables, limit ${maxTables}`);
  const tables = Array.from({ length: count }, () => {
    const start = body.offset;
    // 0x40 0x00 introduces a table whose elements begin with a value other than null
    const withValue = bytes[start] === 0x40;
    if (withValue) body.take(2, 'a table');
    skipValueType(body);
    const type = bytes.subarray(start, body.offset);
    const limits = readLimits(body);
    refuseUnusual(limits, 'table');
    const valueAt = body.offset;
    if (withValue) skipInitialValue(body);
    return { type, limits, value: bytes.subarray(valueAt, body.offset) };
  });
  body.expectEnd('the tables');
  return tables;
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

function boundedLimits(
  limits: Limits,
  bounds: number | readonly number[],
  { what, index, unit }: { what: 'memory' | 'table'; index: number; unit: string },
): number[] {
  const bound = typeof bounds === 'number' ? bounds : bounds[index];
  if (bound === undefined) {
    throw new KernelError('internal', `no bound was given for ${what} ${index} of a core module`);
  }
  if (limits.min > bound) {
    throw fault(
      `${what} ${index} of a core module starts with ${limits.min} ${unit}, limit ${bound}`,
    );
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

/** Unsigned LEB128. */
export function u32(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest % 128;
    rest = Math.floor(rest / 128);
    bytes.push(rest > 0 ? low + 128 : low);
  } while (rest > 0);
  return bytes;
}
