import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  componentEmbed,
  componentNew,
  parse,
  print,
} from '@bytecodealliance/jco-transpile/wasm-tools';
import { addSection } from '../../../sdk/build/add-section.ts';
import { readBinary } from '../../../src/host/install/component/read-component.ts';
import { keepBytes } from './build-guest.ts';
import { root } from './paths.ts';

export type WatTool = { name: string; effect: 'pure' | 'read' | 'write' | 'external' };

/**
 * A guest in WebAssembly's own text: what no toolchain makes. `describe` is laid out here;
 * the guest brings the body of `call` and whatever else it does to its engine.
 */
export type WatPlugin = {
  /** also the name in the manifest */
  name: string;
  /** in the manifest; default 0.1.0 */
  version?: string;
  tools?: readonly WatTool[];
  /** capabilities of the manifest; the world imports them unless `world` says otherwise */
  wants?: readonly string[];
  /** further lines of the world, e.g. `export init: func();` */
  world?: string;
  /** changes the text of `cuervo:host`, for an interface that is not ours */
  host?: (wit: string) => string;
  /** texts of further WIT packages that the world names */
  packages?: string;
  stringEncoding?: 'utf8' | 'utf16';
  /** core imports, e.g. `(import "cuervo:host/clock@0.1.0" "now-ms" (func $now (param i32)))` */
  imports?: string;
  /** default one page, exported as `memory` */
  memory?: string;
  /** further fields of the core module */
  fields?: string;
  /** body of `describe`, before it returns the list */
  describe?: string;
  /**
   * Body of `call` with locals `$name $name-len $input $input-len` and `$i $n`, which leaves
   * the address of a result: `(call $ok-number (…))` makes one of a number.
   */
  call: string;
};

/** The component without its manifest. */
export async function watComponent(plugin: WatPlugin): Promise<Uint8Array> {
  const encoding = plugin.stringEncoding ?? 'utf8';
  const core = await parse(coreText(plugin, encoding));
  const embedded = await componentEmbed({
    binary: core,
    witSource: worldText(plugin),
    world: 'guest',
    stringEncoding: encoding,
  });
  return await componentNew(embedded, []);
}

/** The WIT of a plugin encoded as a component: types, and nothing to run. */
export async function watPackage(): Promise<Uint8Array> {
  const embedded = await componentEmbed({
    witSource: worldText({ name: 'types', call: '' }),
    world: 'guest',
    dummy: true,
    stringEncoding: 'utf8',
  });
  const { customSections } = readBinary(embedded);
  const section = customSections.find(({ name }) => name.startsWith('component-type'));
  if (section === undefined) throw new Error('the module has no section component-type');
  return embedded.subarray(section.offset, section.offset + section.length);
}

/** A file with the component and its manifest. */
export async function watGuest(plugin: WatPlugin): Promise<string> {
  return keepBytes(plugin.name, withManifest(await watComponent(plugin), plugin));
}

/** A file with the component, and more of the text form put at its beginning. */
export async function insertIntoComponent(plugin: WatPlugin, text: string): Promise<string> {
  const printed = await print(await watComponent(plugin));
  const bytes = await parse(printed.replace(/^\(component\b/, `(component ${text}`));
  return keepBytes(plugin.name, withManifest(bytes, plugin));
}

export function withManifest(
  component: Uint8Array,
  { name, wants = [], version = '0.1.0' }: Pick<WatPlugin, 'name' | 'wants' | 'version'>,
): Uint8Array {
  const manifest = {
    name,
    version,
    description: 'A hostile guest.',
    wants: wants.map((capability) => ({ capability, why: 'attacks' })),
  };
  return addSection(component, 'cuervo:plugin', Buffer.from(JSON.stringify(manifest)));
}

function worldText({
  wants = [],
  world = '',
  packages = '',
  host = (wit) => wit,
}: WatPlugin): string {
  const imports = wants.map((name) => `import cuervo:host/${name}@0.1.0;`).join(' ');
  return [
    `package test:guest@0.1.0; world guest { include cuervo:plugin/pure@0.1.0; ${imports} ${world} }`,
    host(nested('host')),
    nested('plugin'),
    packages,
  ].join('\n');
}

function nested(name: string): string {
  const text = readFileSync(join(root, 'wit', name, `${name}.wit`), 'utf8');
  return text.replace(/^package ([^;]+);([\s\S]*)$/m, 'package $1 {$2}');
}

/** Where `describe` is laid out; the guest's own data may lie below. */
const describeAt = 4096;
/** Where results are written, and where the allocator begins. */
const resultAt = 16_384;
const heapAt = 20_480;

function coreText(plugin: WatPlugin, encoding: 'utf8' | 'utf16'): string {
  const { imports = '', memory = '(memory (export "memory") 1)', fields = '' } = plugin;
  const tools = plugin.tools ?? [{ name: 'go', effect: 'pure' }];
  return `(module
  ${imports}
  ${memory}
  (global $heap (mut i32) (i32.const ${heapAt}))
  ${describeData(tools, encoding)}
  (func (export "cabi_realloc") (param $old i32) (param $old-size i32) (param $align i32) (param $size i32) (result i32)
    (local $at i32)
    (local.set $at (i32.and (i32.add (global.get $heap) (i32.const 7)) (i32.const -8)))
    (global.set $heap (i32.add (local.get $at) (local.get $size)))
    (local.get $at))
  (func $text-of (param $value i32) (param $at i32) (result i32)
    ;; decimal digits of $value, written backwards up to $at; gives the first address
    (local $left i32)
    (local.set $left (local.get $value))
    (loop $more
      (local.set $at (i32.sub (local.get $at) (i32.const ${encoding === 'utf16' ? 2 : 1})))
      (i32.${encoding === 'utf16' ? 'store16' : 'store8'} (local.get $at)
        (i32.add (i32.const 48) (i32.rem_u (local.get $left) (i32.const 10))))
      (local.set $left (i32.div_u (local.get $left) (i32.const 10)))
      (br_if $more (local.get $left)))
    (local.get $at))
  (func $ok-text (param $at i32) (param $units i32) (result i32)
    (i32.store8 (i32.const ${resultAt}) (i32.const 0))
    (i32.store (i32.const ${resultAt + 4}) (local.get $at))
    (i32.store (i32.const ${resultAt + 8}) (local.get $units))
    (i32.store (i32.const ${resultAt + 12}) (i32.const 0))
    (i32.store (i32.const ${resultAt + 16}) (i32.const 0))
    (i32.const ${resultAt}))
  (func $ok-number (param $value i32) (result i32)
    (local $at i32)
    (local.set $at (call $text-of (local.get $value) (i32.const ${resultAt - 64})))
    (call $ok-text (local.get $at)
      (i32.div_u (i32.sub (i32.const ${resultAt - 64}) (local.get $at)) (i32.const ${encoding === 'utf16' ? 2 : 1}))))
  (func $failed (param $case i32) (param $at i32) (param $units i32) (result i32)
    (i32.store8 (i32.const ${resultAt}) (i32.const 1))
    (i32.store8 (i32.const ${resultAt + 4}) (local.get $case))
    (i32.store (i32.const ${resultAt + 8}) (local.get $at))
    (i32.store (i32.const ${resultAt + 12}) (local.get $units))
    (i32.const ${resultAt}))
  ${fields}
  (func (export "cuervo:plugin/tools@0.1.0#describe") (result i32)
    (local $i i32) (local $n i32)
    ${plugin.describe ?? ''}
    (i32.const ${describeAt}))
  (func (export "cuervo:plugin/tools@0.1.0#call")
    (param $name i32) (param $name-len i32) (param $input i32) (param $input-len i32) (result i32)
    (local $i i32) (local $n i32)
    ${plugin.call})
)`;
}

/** The list of tools as the canonical ABI wants it: 48 bytes a tool, texts behind. */
function describeData(tools: readonly WatTool[], encoding: 'utf8' | 'utf16'): string {
  const listAt = describeAt + 8;
  let textAt = listAt + tools.length * 48;
  const texts: Buffer[] = [];
  const text = (value: string): number[] => {
    const bytes = Buffer.from(value, encoding === 'utf16' ? 'utf16le' : 'utf8');
    const at = textAt;
    texts.push(bytes);
    textAt += bytes.byteLength;
    // Addresses of UTF-16 texts are even, and so are their lengths.
    return [at, encoding === 'utf16' ? bytes.byteLength / 2 : bytes.byteLength];
  };
  const words = tools.flatMap(({ name, effect }) => [
    ...text(name),
    ...text('Attacks.'),
    ...text('{"type":"object"}'),
    ...[0, 0, 0],
    ['pure', 'read', 'write', 'external'].indexOf(effect),
    ...[0, 0],
  ]);
  const bytes = Buffer.alloc((2 + words.length) * 4);
  [listAt, tools.length, ...words].forEach((word, index) => {
    bytes.writeUInt32LE(word, index * 4);
  });
  const all = [...Buffer.concat([bytes, ...texts])];
  const escaped = all.map((byte) => `\\${byte.toString(16).padStart(2, '0')}`).join('');
  return `(data (i32.const ${describeAt}) "${escaped}")`;
}
