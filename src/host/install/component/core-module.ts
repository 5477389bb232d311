import { ByteReader, fault } from './byte-reader.ts';

/** A host other than WASI, and the imports that tell a toolchain's module for it. */
type Maker = {
  /** of `MODULE.FIELD` */
  imports: RegExp;
  /** true: all that is not of WASI has to look so, because a single one says too little */
  all?: boolean;
  what: string;
  how: string;
};

const forWasi = 'build it for WASI instead';

/** The first that fits counts. */
const makers: readonly Maker[] = [
  {
    imports: /^(?:__wbindgen_placeholder__|wbg|\.\/[^/]+_bg\.js)\./,
    what: 'it is made for JavaScript, by wasm-bindgen',
    how: `${forWasi} (cargo build --target wasm32-wasip2)`,
  },
  {
    imports: /^go(?:js)?\.(?:runtime|syscall\/js)\./,
    what: 'it is made for JavaScript, by Go',
    how: `${forWasi} (GOOS=wasip1 GOARCH=wasm go build)`,
  },
  {
    imports: /^env\._?napi_/,
    what: 'it is an addon for Node.js (Node-API)',
    how: `${forWasi}, as a program or as a component`,
  },
  {
    imports: /^(?:env|GOT\.(?:mem|func))\.(?:__memory_base|__table_base)$/,
    what: 'it is a library that another module loads into its own memory',
    how: 'link it into a program for WASI',
  },
  {
    imports: /^env\.(?:_?emscripten_|__syscall_|_embind_|_abort_js$|invoke_[a-z]+$)/,
    what: 'it is made for JavaScript, by Emscripten',
    how: `${forWasi} (with wasi-sdk)`,
  },
  {
    imports: /^a\.[\w$]{1,2}$/,
    all: true,
    what: 'it is made for JavaScript, and its names are shortened like those of Emscripten',
    how: `${forWasi} (with wasi-sdk)`,
  },
  {
    imports: /^wasi_unstable\./,
    what: 'it is made for WASI before preview 1',
    how: 'build it with a newer toolchain, for WASI 0.2 or preview 1',
  },
  {
    imports: /^wasi\.thread-spawn$/,
    what: 'it starts threads, and plugins have none',
    how: 'build it without threads (for Rust: --target wasm32-wasip1)',
  },
  {
    imports: /^wasi:[a-z-]+\/[a-z-]+@0\.2\./,
    what: 'it is made to be a part of a component',
    how: 'make a component of it (wasm-tools component new), or name the component that holds it',
  },
];

/**
 * The host that a core module is made for, if not for WASI preview 1, and the next step.
 *
 * @param strange imports that are not of WASI preview 1, as `MODULE.FIELD`
 * @returns undefined when the imports do not tell
 */
export function moduleMaker(strange: readonly string[]): { what: string; how: string } | undefined {
  return makers.find(({ imports, all = false }) =>
    all
      ? strange.length > 0 && strange.every((name) => imports.test(name))
      : strange.some((name) => imports.test(name)),
  );
}

/** Sections of a core module in the order the specification demands, by id; custom (0) anywhere. */
const sectionOrder = [1, 2, 3, 4, 5, 13, 6, 7, 8, 9, 12, 10, 11];

/** A page of a memory, bytes. */
export const pageBytes = 65_536;
/** More sections, and longer names, have no use in a core module. */
export const maxCoreSections = 10_000;
export const maxCoreNameBytes = 100_000;

const exportKinds = ['func', 'table', 'memory', 'global', 'tag'] as const;

/** Bounds of a memory (64 KiB pages) or table (elements). */
export type Limits = {
  min: number;
  max?: number;
  shared: boolean;
  /** 64-bit addresses: `min` and `max` were passed over, not read */
  wide: boolean;
  /** a page size other than 64 KiB */
  customPage: boolean;
};

export type CoreImport = {
  module: string;
  name: string;
  kind: 'func' | 'table' | 'memory' | 'global' | 'tag';
  limits?: Limits;
};

export type CoreExport = { name: string; kind: (typeof exportKinds)[number] };

export type CoreSection = { id: number; start: number; body: ByteReader };

/**
 * The sections of a core module, behind its eight-byte header, in order.
 *
 * @param maxSections more are refused
 */
export function* coreSections(
  reader: ByteReader,
  maxSections: number,
): Generator<CoreSection, void, undefined> {
  let last = -1;
  for (let count = 0; reader.remaining > 0; count += 1) {
    const start = reader.offset;
    if (count >= maxSections) {
      throw fault(`refused at offset ${start}: more than ${maxSections} sections`);
    }
    const id = reader.u8('a section id');
    const length = reader.u32('the length of a section');
    const body = reader.range(length, `section ${id} of ${length} bytes`);
    if (id !== 0) {
      const position = sectionOrder.indexOf(id);
      if (position < 0) throw fault(`malformed at offset ${start}: unknown section id ${id}`);
      if (position <= last) {
        throw fault(`malformed at offset ${start}: section ${id} is repeated or out of order`);
      }
      last = position;
    }
    yield { id, start, body };
  }
}

export function readCoreImport(body: ByteReader, maxNameBytes: number): CoreImport {
  const module = body.name('the module name of an import', maxNameBytes);
  const name = body.name('the name of an import', maxNameBytes);
  const at = body.offset;
  switch (body.u8('the kind of an import')) {
    case 0x00:
      body.u32('a type index');
      return { module, name, kind: 'func' };
    case 0x01:
      skipValueType(body);
      return { module, name, kind: 'table', limits: readLimits(body) };
    case 0x02:
      return { module, name, kind: 'memory', limits: readLimits(body) };
    case 0x03:
      skipValueType(body);
      body.u8('the mutability of a global');
      return { module, name, kind: 'global' };
    case 0x04:
      body.u8('the attribute of a tag');
      body.u32('a type index');
      return { module, name, kind: 'tag' };
    default:
      throw fault(`malformed at offset ${at}: unknown kind of a core import`);
  }
}

export function readCoreExport(body: ByteReader, maxNameBytes: number): CoreExport {
  const name = body.name('an export name', maxNameBytes);
  const at = body.offset;
  const kind = exportKinds[body.u8('the kind of an export')];
  if (!kind) throw fault(`malformed at offset ${at}: unknown kind of export "${name}"`);
  body.u32('an index');
  return { name, kind };
}

/** The names by which a core module takes and gives, and how it uses each. */
export function* coreNames(
  bytes: Uint8Array,
): Generator<{ verb: string; name: string }, void, undefined> {
  const reader = new ByteReader(bytes, 8);
  for (const { id, body } of coreSections(reader, maxCoreSections)) {
    if (id !== 2 && id !== 7) continue;
    const count = body.count(id === 2 ? 'imports' : 'exports');
    for (let index = 0; index < count; index += 1) {
      if (id === 7) {
        yield { verb: 'exports', name: readCoreExport(body, maxCoreNameBytes).name };
        continue;
      }
      const { module, name } = readCoreImport(body, maxCoreNameBytes);
      yield { verb: 'imports from', name: module };
      yield { verb: 'imports', name };
    }
  }
}

export function readLimits(body: ByteReader): Limits {
  const at = body.offset;
  const flags = body.u8('the flags of limits');
  if (flags > 0x0f) throw fault(`malformed at offset ${at}: unknown flags ${flags} of limits`);
  const shared = (flags & 2) !== 0;
  const wide = (flags & 4) !== 0;
  const customPage = (flags & 8) !== 0;
  const bound = (what: string): number => {
    if (!wide) return body.u32(what);
    body.skipNumber(what, 10);
    return 0;
  };
  const min = bound('an initial size');
  const max = (flags & 1) !== 0 ? bound('a maximum size') : undefined;
  if (customPage) body.u32('a page size');
  if (max !== undefined && max < min) {
    throw fault(`malformed at offset ${at}: maximum ${max} is below the initial size ${min}`);
  }
  return { min, ...(max === undefined ? {} : { max }), shared, wide, customPage };
}

/** A byte, or for typed references a prefix and a heap type of at most 33 bits. */
export function skipValueType(body: ByteReader): void {
  const at = body.offset;
  const type = body.u8('a value type');
  if (type === 0x63 || type === 0x64) body.skipNumber('a heap type', 5);
  else if (type < 0x40 || type > 0x7f) {
    throw fault(`malformed at offset ${at}: unknown value type ${type}`);
  }
}
