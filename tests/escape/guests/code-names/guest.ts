import { parse, print } from '@bytecodealliance/jco-transpile/wasm-tools';
import { watWorld } from '../../../support/wat-world.ts';
import { keepBytes } from '../../support/build-guest.ts';
import {
  insertIntoComponent,
  watComponent,
  watGuest,
  withManifest,
} from '../../support/wat-plugin.ts';

/** A tool by this name. */
export const withTool = (name: string): Promise<string> =>
  watGuest({
    name: 'code-names',
    tools: [{ name, effect: 'pure' }],
    call: '(call $ok-number (i32.const 1))',
  });

/**
 * A stranger's functions, each of which returns its parameter, and both have the name.
 *
 * @param edit changes names in the finished bytes to others of their length
 */
export async function withFunctions(
  names: readonly string[],
  edit: (binary: string) => string = (binary) => binary,
): Promise<string> {
  const functions = names.map(
    (name) => `(func (export "${name}") (param i32) (result i32) (local.get 0))`,
  );
  const exported = names.map((name) => `export %${name}: func(%${name}: u32) -> u32;`);
  const bytes = await watWorld(
    `(module (memory (export "memory") 1) ${functions.join(' ')})`,
    `package test:words@0.1.0; world w { ${exported.join(' ')} }`,
  );
  const edited = Buffer.from(edit(Buffer.from(bytes).toString('latin1')), 'latin1');
  return keepBytes('words', edited, { isFolder: true });
}

/** An import by this name, as the component model allows it. */
export const withImport = (name: string): Promise<string> =>
  insertIntoComponent(
    { name: 'code-names', call: '(call $ok-number (i32.const 1))' },
    `(import "${name}" (func))`,
  );

/** A core module that exports its allocator by this name, and one that imports it by the same. */
export async function withCoreName(name: string): Promise<string> {
  const plugin = { name: 'code-names', call: '(call $ok-number (i32.const 1))' };
  const written = JSON.stringify(name);
  const other = `
    (core module $giver (func (export ${written}) (result i32) (i32.const 1)))
    (core instance $given (instantiate $giver))
    (core module $taker (import ${written} ${written} (func (result i32))))
    (core instance (instantiate $taker (with ${written} (instance $given))))`;
  const text = (await print(await watComponent(plugin)))
    .replaceAll('"cabi_realloc"', written)
    .replace(/\)\s*$/, `${other})`);
  return keepBytes(plugin.name, withManifest(await parse(text), plugin));
}
