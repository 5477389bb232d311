import { existsSync, readFileSync } from 'node:fs';
import { componentEmbed, componentNew } from '@bytecodealliance/jco-transpile/wasm-tools';
import { renameImport } from './edit-glue.ts';
import { writeOut } from './write-out.ts';

/**
 * The program that makes a component of a WASI preview-1 module: the module on standard input, the
 * component on standard output. Its one argument, `command`, `reactor` or `none`, names the adapter.
 * Like the transpiler it may panic on a hostile binary, so it ends after one.
 */
const [, , kind] = process.argv;
const module = readFileSync(0);
const bytes =
  kind === 'none'
    ? await componentNew(module, [])
    : await componentNew(await withExitCode(module), [['wasi_snapshot_preview1', readAdapter()]]);
writeOut(bytes);

function readAdapter(): Uint8Array {
  const adapter = new URL(`wasi-preview1-${kind}.wasm`, import.meta.url);
  if (!existsSync(adapter))
    throw new Error('this build of cuervo has no adapters for WASI preview 1');
  return readFileSync(adapter);
}

/**
 * The adapter knows of an exit code only whether it is 0. A module that exits is given the
 * function of WASI 0.2 that takes the code itself, which has the same type.
 */
async function withExitCode(module: Uint8Array): Promise<Uint8Array> {
  const exit = 'wasi:cli/exit@0.2.0';
  const renamed = renameImport(
    module,
    ['wasi_snapshot_preview1', 'proc_exit'],
    [exit, 'exit-with-code'],
  );
  if (renamed === undefined) return module;
  const witSource = `package wasi:cli@0.2.0;
    interface exit { exit: func(status: result); exit-with-code: func(status-code: u8); }
    world program { import exit; }`;
  return await componentEmbed({ binary: renamed, witSource, world: 'program' });
}
