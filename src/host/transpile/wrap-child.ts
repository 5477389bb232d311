import { existsSync, readFileSync } from 'node:fs';
import { componentNew } from '@bytecodealliance/jco-transpile/wasm-tools';
import { writeOut } from './write-out.ts';

/**
 * The program that makes a component of a WASI preview-1 module: the module on standard input, the
 * component on standard output. Its one argument, `command` or `reactor`, names the adapter.
 * Like the transpiler it may panic on a hostile binary, so it ends after one.
 */
const adapter = new URL(`wasi-preview1-${process.argv[2]}.wasm`, import.meta.url);
if (!existsSync(adapter))
  throw new Error('this build of cuervo has no adapters for WASI preview 1');
const bytes = await componentNew(readFileSync(0), [
  ['wasi_snapshot_preview1', readFileSync(adapter)],
]);
writeOut(bytes);
