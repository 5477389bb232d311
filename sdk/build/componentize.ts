import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { BuildError } from './build-error.ts';
import { engineReason } from './engine-reason.ts';
import type { LoadTool } from './load-tool.ts';
import type { Bundle } from './placed-bundle.ts';
import { withoutWasi } from './without-wasi.ts';

export type Engine = 'quickjs' | 'starlingmonkey';

/**
 * Returns what `make` gave for the same inputs before, or calls it.
 *
 * @param inputs all that the result depends on, but for the tool itself
 */
export type KeepComponent = (
  inputs: readonly (string | Uint8Array)[],
  make: () => Promise<Uint8Array>,
) => Promise<Uint8Array>;

/**
 * A component of one JavaScript module, with no WASI import at all: its import list is
 * exactly the world's.
 *
 * @param witFolder folder with the packages `host` and `plugin`
 * @throws {BuildError} with the engine's reason
 */
export async function componentize(options: {
  bundle: Bundle;
  world: string;
  witFolder: string;
  /** folder of the SDK's sources */
  sdkFolder: string;
  engine: Engine;
  load: LoadTool;
  keep?: KeepComponent | undefined;
}): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), 'cuervo-build-'));
  try {
    const run = options.engine === 'quickjs' ? quickJs : starlingMonkey;
    return await run({ ...options, source: options.bundle.code, folder });
  } catch (thrown) {
    if (thrown instanceof BuildError) throw thrown;
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    const reason = engineReason(message, options.bundle);
    throw new BuildError(reason ?? `${options.engine}: ${message}`, { cause: thrown });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The files of the contracts, in the order in which one uses the other. */
const packages = ['host/host.wit', 'plugin/plugin.wit'];

/** Our build of the engine, below the SDK; `engine/README.md` says how it is made. */
const engineFile = 'engine/quickjs.wasm';

type EngineOptions = {
  source: string;
  world: string;
  witFolder: string;
  sdkFolder: string;
  folder: string;
  load: LoadTool;
  keep?: KeepComponent | undefined;
};

async function quickJs(options: EngineOptions): Promise<Uint8Array> {
  const { world, source: jsSource, keep = (_, make) => make() } = options;
  const { componentize: build } =
    await options.load<typeof import('componentize-qjs')>('componentize-qjs');
  const runtimeBytes = readFileSync(join(options.sdkFolder, engineFile));
  const contracts = packages.map((file) => readFileSync(join(options.witFolder, file)));
  const made = await keep([runtimeBytes, ...contracts, world, jsSource], async () => {
    const witPath = join(options.folder, 'wit');
    for (const [at, file] of packages.entries()) {
      const target = join(witPath, 'deps', file);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, contracts[at] as Uint8Array);
    }
    writeFileSync(join(witPath, 'world.wit'), world);
    return (await build({ witPath, jsSource, world: 'plugin', stubWasi: false, runtimeBytes }))
      .component;
  });
  return withoutWasi(made);
}

async function starlingMonkey(options: EngineOptions): Promise<Uint8Array> {
  const { componentize: build } = await options.load<StarlingMonkey>(
    '@bytecodealliance/componentize-js',
  );
  const sourcePath = join(options.folder, 'plugin.js');
  writeFileSync(sourcePath, options.source);
  // As one text: the splicer, a component itself, cannot read folders through every version
  // of its WASI shim.
  const nested = packages.map((file) => {
    const text = readFileSync(join(options.witFolder, file), 'utf8');
    return `${text.replace(/^package ([^;]+);/m, 'package $1 {')}\n}`;
  });
  const { component } = await build({
    sourcePath,
    witWorld: [options.world, ...nested].join('\n'),
    worldName: 'plugin',
    disableFeatures: ['stdio', 'random', 'clocks', 'http', 'fetch-event'],
  });
  return component;
}

type StarlingMonkey = {
  componentize(options: {
    sourcePath: string;
    witWorld: string;
    worldName: string;
    disableFeatures: string[];
  }): Promise<{ component: Uint8Array }>;
};
