import { readFileSync } from 'node:fs';
import { $init, generate } from '@bytecodealliance/jco-transpile/component';
import { checkUnedited, glueScript, wrapSmallValues } from './edit-glue.ts';
import { writeOut } from './write-out.ts';

/**
 * The program inside a transpile process: a component on standard input, a line of JSON
 * (`[[name, bytes], …]`) and then the files themselves on standard output. The
 * transpiler can panic on a hostile binary and is unusable after that, so it gets a
 * process that ends after one file and may read nothing but its own code.
 */
await $init;
const generated = generate(readFileSync(0), {
  name: 'component',
  instantiation: { tag: 'sync' },
  noTypescript: true,
  noNodejsCompat: true,
  // Every core module as a file of its own, however small: each memory must be bounded.
  base64Cutoff: 0,
});
const files = generated.files.map(([name, bytes]): [string, Uint8Array] => {
  if (name !== 'component.js') return [name, bytes];
  const glue = Buffer.from(bytes).toString('utf8');
  return [name, Buffer.from(glueScript(wrapSmallValues(glue)))];
});
// Plugin processes check a function when they first compile it; here all of them are checked.
for (const [name, bytes] of files) {
  if (name.endsWith('.wasm') && !WebAssembly.validate(bytes)) {
    throw new TypeError(`${name} is not a valid core module`);
  }
  if (name.endsWith('.wasm')) checkUnedited(bytes);
}
writeOut(
  Buffer.from(`${JSON.stringify(files.map(([name, bytes]) => [name, bytes.byteLength]))}\n`),
);
for (const [, bytes] of files) writeOut(bytes);
