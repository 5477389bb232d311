import { quoteText } from '../../../lib/text/printable.ts';
import { type ByteReader, fault } from './byte-reader.ts';

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

const functions: ReadonlySet<string> = new Set([
  ...['args_get', 'args_sizes_get', 'environ_get', 'environ_sizes_get'],
  ...['clock_res_get', 'clock_time_get', 'random_get', 'poll_oneoff', 'sched_yield'],
  ...['proc_exit', 'proc_raise', 'sock_accept', 'sock_recv', 'sock_send', 'sock_shutdown'],
  ...['fd_advise', 'fd_allocate', 'fd_close', 'fd_datasync', 'fd_fdstat_get'],
  ...['fd_fdstat_set_flags', 'fd_fdstat_set_rights', 'fd_filestat_get', 'fd_filestat_set_size'],
  ...['fd_filestat_set_times', 'fd_pread', 'fd_prestat_get', 'fd_prestat_dir_name', 'fd_pwrite'],
  ...['fd_read', 'fd_readdir', 'fd_renumber', 'fd_seek', 'fd_sync', 'fd_tell', 'fd_write'],
  ...['path_create_directory', 'path_filestat_get', 'path_filestat_set_times', 'path_link'],
  ...['path_open', 'path_readlink', 'path_remove_directory', 'path_rename', 'path_symlink'],
  'path_unlink_file',
  // Belongs to the standard adapter: components made with it may want these.
  ...['adapter_open_badfd', 'adapter_close_badfd', 'adapter_monotonic_clock_set_paused'],
  'reset_adapter_state',
]);
const prefix = 'wasi_snapshot_preview1.';

/**
 * Whether an import, `MODULE.FIELD`, is of WASI preview 1. Some runtimes have added functions of
 * their own to its module.
 */
export function isPreviewOne(name: string): boolean {
  return name.startsWith(prefix) && functions.has(name.slice(prefix.length));
}

/** Begins every reason of this kind. */
export const unsupported = 'it takes a built-in that this version does not support';

/** Functions that are named at most. */
const maxNames = 5;

/**
 * The next step for a component that takes a built-in that is refused: the names of what it exports,
 * and the option of its toolchain that makes it run.
 *
 * @param bytes of the component, in whose code the toolchain left its name
 */
export function howToRun(
  { exports }: { exports: readonly { name: string; kind: string }[] },
  bytes: Uint8Array,
): string {
  const names = exports.flatMap(({ name, kind }) =>
    (kind === 'func' && name !== 'init') || kind === 'instance' ? [quoteText(name)] : [],
  );
  const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : '';
  const what = names.length === 0 ? 'it' : `${names.slice(0, maxNames).join(', ')}${more}`;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const how = text.includes('componentize-qjs')
    ? 'with componentize-qjs --sync'
    : 'for WASI 0.2, without threads and error contexts';
  return `build ${what} ${how}`;
}

/** The name and kind of an import or export. `module` is a core module. */
export type ExternKind = 'module' | 'func' | 'value' | 'type' | 'component' | 'instance';

export type Extern = { name: string; kind: ExternKind };

/** Limits of the Component Model's binary format for what is shown to people. */
export const maxNameBytes = 1_024;
const maxAttributes = 3;

/** `import`: name with attributes, then the type of what is imported. */
export function readComponentImport(body: ByteReader): Extern {
  const name = readExternName(body, 'an import name');
  return { name, kind: readExternType(body) };
}

/** `export`: name with attributes, what is exported, and optionally its type. */
export function readComponentExport(body: ByteReader): Extern {
  const name = readExternName(body, 'an export name');
  const kind = readSort(body);
  body.u32('an index');
  const at = body.offset;
  const ascribed = body.u8('the presence of a type');
  if (ascribed > 1) throw fault(`malformed at offset ${at}: ${ascribed} is neither 0 nor 1`);
  if (ascribed === 1) readExternType(body);
  // A core sort other than a module is not exportable.
  if (kind === 'core') throw fault(`malformed at offset ${at}: export "${name}" is of a core sort`);
  return { name, kind };
}

/**
 * The name of an import or export. Prefixes 0x00 and 0x01 mean the same; 0x02 is followed by
 * attributes (`implements`, version suffix, external id), each at most once. They are passed over:
 * the name alone decides, and a name that needs one to be understood is not a name we know.
 */
export function readExternName(body: ByteReader, what: string): string {
  const at = body.offset;
  const prefix = body.u8(what);
  if (prefix > 2) throw fault(`malformed at offset ${at}: unknown prefix ${prefix} of ${what}`);
  const name = body.name(what, maxNameBytes);
  if (prefix === 2) {
    const count = body.count('name attributes');
    if (count > maxAttributes) {
      throw fault(`malformed at offset ${at}: ${count} attributes of ${what}, limit 3`);
    }
    const seen = new Set<number>();
    for (let index = 0; index < count; index += 1) {
      const attributeAt = body.offset;
      const attribute = body.u8('a name attribute');
      if (attribute > 2 || seen.has(attribute)) {
        throw fault(`malformed at offset ${attributeAt}: unknown or repeated name attribute`);
      }
      seen.add(attribute);
      body.name('a name attribute', maxNameBytes);
    }
  }
  return name;
}

/** The sort of a definition; `core` stands for every core sort but a module. */
export function readSort(body: ByteReader): ExternKind | 'core' {
  const at = body.offset;
  switch (body.u8('a sort')) {
    case 0x00:
      return readCoreSort(body) === 0x11 ? 'module' : 'core';
    case 0x01:
      return 'func';
    case 0x02:
      return 'value';
    case 0x03:
      return 'type';
    case 0x04:
      return 'component';
    case 0x05:
      return 'instance';
    default:
      throw fault(`malformed at offset ${at}: unknown sort`);
  }
}

function readCoreSort(body: ByteReader): number {
  const at = body.offset;
  const sort = body.u8('a core sort');
  const known = sort <= 0x04 || (sort >= 0x10 && sort <= 0x12);
  if (!known) throw fault(`malformed at offset ${at}: unknown core sort ${sort}`);
  return sort;
}

function readExternType(body: ByteReader): ExternKind {
  const at = body.offset;
  const tag = body.u8('the type of an import or export');
  switch (tag) {
    case 0x00: {
      const sort = body.u8('a core sort');
      if (sort !== 0x11) throw fault(`malformed at offset ${at}: only core modules have types`);
      body.u32('a type index');
      return 'module';
    }
    case 0x01:
      body.u32('a type index');
      return 'func';
    case 0x02: {
      const bound = body.u8('the bound of a value');
      if (bound > 1) throw fault(`malformed at offset ${at}: unknown bound of a value`);
      // an index, or a value type: an index as signed LEB128, or one byte
      body.skipNumber('the bound of a value', 5);
      return 'value';
    }
    case 0x03: {
      const bound = body.u8('the bound of a type');
      if (bound > 1) throw fault(`malformed at offset ${at}: unknown bound of a type`);
      if (bound === 0) body.u32('a type index');
      return 'type';
    }
    case 0x04:
      body.u32('a type index');
      return 'component';
    case 0x05:
      body.u32('a type index');
      return 'instance';
    default:
      throw fault(`malformed at offset ${at}: unknown type ${tag} of an import or export`);
  }
}
