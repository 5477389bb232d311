import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { componentEmbed, componentNew, parse } from '@bytecodealliance/jco-transpile/wasm-tools';
import { componentize } from 'componentize-qjs';
import { keptComponents } from '../../src/cli/author/load-build-tool.ts';
import { componentsFolder } from './shared-components.ts';

const { version } = createRequire(import.meta.url)('componentize-qjs/package.json');
const kept = keptComponents(componentsFolder, `componentize-qjs ${version}`);

/** Binaries that the tests of this folder read, made by real toolchains when a test asks. */

/** The engine's own WebAssembly: the types of Node name its values only in part. */
export const engine = (
  globalThis as unknown as {
    WebAssembly: {
      Module: {
        new (bytes: Uint8Array<ArrayBuffer>): object;
        customSections(module: object, name: string): ArrayBuffer[];
      };
      Instance: new (module: object, imports?: object) => { exports: unknown };
      Memory: new (limits: { initial: number; maximum?: number }) => { buffer: ArrayBuffer };
      validate(bytes: Uint8Array<ArrayBuffer>): boolean;
    };
  }
).WebAssembly;

/** A component or core module from its text form. */
export async function fromWat(wat: string): Promise<Uint8Array<ArrayBuffer>> {
  return Uint8Array.from(await parse(wat));
}

/** A plugin whose core module does nothing: what componentising makes of an empty program. */
export async function emptyPlugin(wants: readonly string[] = ['fs']): Promise<Uint8Array> {
  return componentNew(await embeddedModule(wants), []);
}

/** A component of a world in WIT whose functions are there and trap. */
export async function fromWorld(witSource: string): Promise<Uint8Array> {
  const options = { witSource, world: 'w', dummy: true, stringEncoding: 'utf8' } as const;
  return componentNew(await componentEmbed(options), []);
}

/** A core module with its world in a custom section: componentising did not happen yet. */
export async function embeddedModule(wants: readonly string[]): Promise<Uint8Array> {
  return componentEmbed({
    witSource: await world(wants),
    world: 'probe',
    dummy: true,
    stringEncoding: 'utf8',
  });
}

/** A WIT package encoded as a component, as it stands in such a custom section. */
export async function witPackage(): Promise<Uint8Array> {
  const module = new engine.Module(Uint8Array.from(await embeddedModule(['fs'])));
  const [section] = engine.Module.customSections(module, 'component-type');
  if (!section) throw new Error('the module has no section component-type');
  return new Uint8Array(section);
}

/** A plugin in JavaScript: a whole QuickJS engine, about 1.6 MB in eleven core modules. */
export async function quickjsPlugin(
  wants: readonly string[] = ['fs', 'log'],
  call = 'return { content: input, summary: name };',
): Promise<Uint8Array> {
  const witText = await world(wants);
  const jsSource = `export const tools = { describe() { return []; }, call(name, input) { ${call} } };`;
  return await kept([witText, jsSource], async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cuervo-binaries-'));
    try {
      const witPath = join(folder, 'world.wit');
      await writeFile(witPath, witText);
      const options = { world: 'probe', sync: true, stubWasi: true };
      const { component } = await componentize({ ...options, witPath, jsSource });
      return component;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}

/** The component with a custom section at its end. */
export function withSection(
  bytes: Uint8Array,
  name: string,
  contents: string | Uint8Array,
): Uint8Array {
  const title = Buffer.from(name);
  const body = Buffer.concat([Uint8Array.of(title.length), title, Buffer.from(contents)]);
  return Buffer.concat([bytes, Uint8Array.of(0), leb(body.length), body]);
}

/** LEB128 */
export function leb(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Uint8Array.of(...bytes, rest);
    bytes.push((rest % 128) + 128);
  }
}

async function world(wants: readonly string[]): Promise<string> {
  const imports = wants.map((want) => `import cuervo:host/${want}@0.1.0;`).join(' ');
  return [
    `package test:probe@0.1.0; world probe { include cuervo:plugin/pure@0.1.0; ${imports} }`,
    await nested('host'),
    await nested('plugin'),
  ].join('\n');
}

async function nested(name: 'host' | 'plugin'): Promise<string> {
  const file = new URL(`../../wit/${name}/${name}.wit`, import.meta.url);
  const text = await readFile(file, 'utf8');
  return text.replace(/^package ([^;]+);([\s\S]*)$/m, 'package $1 {$2}');
}
