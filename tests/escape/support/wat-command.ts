import { componentEmbed, componentNew, parse } from '@bytecodealliance/jco-transpile/wasm-tools';
import { keepBytes } from './build-guest.ts';

/**
 * A program in WebAssembly's own text that writes the types of its WASI imports itself, as a
 * hostile one would: functions that there are not, arguments of other types, handles made up.
 */
export type WatCommand = {
  name: string;
  /** interfaces of WASI 0.2.6 as WIT, by package: `interface poll { … }` */
  packages: Readonly<Record<string, string>>;
  /** imports of the world, e.g. `wasi:io/poll@0.2.6` */
  imports: readonly string[];
  /** core imports; `$exit` is there: it ends the program with a code */
  core: string;
  /** body of `run`, with locals `$i $n`; when it ends the program ends with 0 */
  run: string;
};

/** A component that exports `wasi:cli/run`; its tool is `NAME.run`. */
export async function watCommand(command: WatCommand): Promise<string> {
  const packages: Record<string, string> = {
    ...command.packages,
    cli: `interface run { run: func() -> result; }
      interface exit { exit-with-code: func(status-code: u8); }
      ${command.packages.cli ?? ''}`,
  };
  const imports = [...command.imports, 'wasi:cli/exit@0.2.6'];
  const witSource = [
    'package test:guest@0.1.0;',
    `world guest { ${imports.map((name) => `import ${name};`).join(' ')} export wasi:cli/run@0.2.6; }`,
    ...Object.entries(packages).map(([name, text]) => `package wasi:${name}@0.2.6 { ${text} }`),
  ].join('\n');
  const core = await parse(`(module
    (import "wasi:cli/exit@0.2.6" "exit-with-code" (func $exit (param i32)))
    ${command.core}
    (memory (export "memory") 1)
    (global $heap (mut i32) (i32.const 16384))
    (func (export "cabi_realloc") (param $old i32) (param $old-size i32) (param $align i32) (param $size i32) (result i32)
      (local $at i32)
      (local.set $at (i32.and (i32.add (global.get $heap) (i32.const 7)) (i32.const -8)))
      (global.set $heap (i32.add (local.get $at) (local.get $size)))
      (local.get $at))
    (func (export "wasi:cli/run@0.2.6#run") (result i32)
      (local $i i32) (local $n i32)
      ${command.run}
      (i32.const 0)))`);
  const embedded = await componentEmbed({
    binary: core,
    witSource,
    world: 'guest',
    stringEncoding: 'utf8',
  });
  return keepBytes(command.name, await componentNew(embedded, []), { isFolder: true });
}
