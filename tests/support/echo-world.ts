import { Script } from 'node:vm';
import { $init, generate } from '@bytecodealliance/jco-transpile/component';
import { deriveTools } from '../../src/host/install/component/manifest-tools.ts';
import { readFunctions } from '../../src/host/install/component/read-functions.ts';
import {
  glueScript,
  renameExterns,
  wrapSmallValues,
} from '../../src/host/install/transpile/edit-glue.ts';
import { adaptExports } from '../../src/wasi/adapters/adapt-exports.ts';
import { withoutWasi } from '../../src/wasi/create-wasi-imports.ts';
import { watWorld } from './wat-world.ts';

/**
 * A component whose functions give back what they are given: `func(a: list<T>) -> list<T>` as it
 * is, and those of `errors`, `func(a: list<T>) -> result<_, list<T>>`, as their error.
 *
 * @param exported names of core functions, as `a:b/c#d`
 */
export async function echoWorld(
  witSource: string,
  exported: { values: readonly string[]; errors?: readonly string[] },
): Promise<Uint8Array> {
  const core = (name: string, body: string): string =>
    `(func (export "${name}") (param i32 i32) (result i32) ${body})`;
  const whole = `(i32.store (i32.const 0) (local.get 0)) (i32.store (i32.const 4) (local.get 1))
    (i32.const 0)`;
  const failed = `(i32.store (i32.const 0) (i32.const 1)) (i32.store (i32.const 4) (local.get 0))
    (i32.store (i32.const 8) (local.get 1)) (i32.const 0)`;
  return await watWorld(
    `(module (memory (export "memory") 8) (global $at (mut i32) (i32.const 1024))
      (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (local $here i32)
        (local.set $here (i32.and (i32.add (global.get $at) (i32.const 15)) (i32.const -16)))
        (global.set $at (i32.add (local.get $here) (local.get 3)))
        (local.get $here))
      ${exported.values.map((name) => core(name, whole)).join('\n')}
      ${(exported.errors ?? []).map((name) => core(name, failed)).join('\n')})`,
    witSource,
  );
}

/** The tools of a component by the real glue, in this process: what each of them gives or throws. */
export async function callInHere(component: Uint8Array): Promise<{
  tools: ReturnType<typeof deriveTools>;
  call(tool: string, input: unknown): unknown;
}> {
  await $init;
  const { files } = generate(renameExterns(component), {
    name: 'component',
    instantiation: { tag: 'sync' },
    noTypescript: true,
    noNodejsCompat: true,
    base64Cutoff: 0,
  });
  const all = new Map(files);
  const glue = Buffer.from(all.get('component.js') ?? []).toString('utf8');
  const script = glueScript(wrapSmallValues(glue));
  const instantiate = new Script(script).runInThisContext() as (
    ...args: unknown[]
  ) => Record<string, unknown>;
  const tools = deriveTools(readFunctions(component), { effect: 'pure', program: 'echo' });
  const moduleOf = (file: string): WebAssembly.Module =>
    new WebAssembly.Module(Uint8Array.from(all.get(file) ?? []));
  const start = (module: WebAssembly.Module, imports: WebAssembly.Imports): WebAssembly.Instance =>
    new WebAssembly.Instance(module, imports);
  return {
    tools,
    call: (tool, input) => {
      const { call } = adaptExports(instantiate(moduleOf, {}, start), {
        adapter: tools.adapter,
        wasi: withoutWasi,
        maxResultBytes: 1_000_000,
        log: () => {},
        progress: () => {},
        reading: new Set(),
      });
      const taken: string[] = [];
      call(Buffer.from(tool), Buffer.from(JSON.stringify(input)), (text) =>
        taken.push(Buffer.from(text).toString('utf8')),
      );
      return JSON.parse(taken[0] ?? '');
    },
  };
}
