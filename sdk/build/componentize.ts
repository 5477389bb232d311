import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BuildError } from './build-error.ts';

export type Engine = 'quickjs' | 'starlingmonkey';

/**
 * A component of one JavaScript module, with no WASI import at all: its import list is
 * exactly the world's.
 *
 * @param witFolder folder with the packages `host` and `plugin`
 * @throws {BuildError} with the engine's reason
 */
export async function componentize(options: {
  source: string;
  world: string;
  witFolder: string;
  engine: Engine;
}): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), 'cuervo-build-'));
  try {
    const wit = join(folder, 'wit');
    mkdirSync(join(wit, 'deps'), { recursive: true });
    writeFileSync(join(wit, 'world.wit'), options.world);
    for (const name of ['host', 'plugin']) {
      cpSync(join(options.witFolder, name), join(wit, 'deps', name), { recursive: true });
    }
    const run = options.engine === 'quickjs' ? quickJs : starlingMonkey;
    return await run(options.source, wit, folder);
  } catch (thrown) {
    if (thrown instanceof BuildError) throw thrown;
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw new BuildError(`${options.engine}: ${reason}`, { cause: thrown });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function quickJs(source: string, witPath: string): Promise<Uint8Array> {
  const { componentize: build } = await import('componentize-qjs');
  const { component } = await build({
    witPath,
    jsSource: source,
    world: 'plugin',
    stubWasi: true,
    sync: true,
  });
  return component;
}

async function starlingMonkey(
  source: string,
  witPath: string,
  folder: string,
): Promise<Uint8Array> {
  const { componentize: build } = await loadStarlingMonkey();
  const sourcePath = join(folder, 'plugin.js');
  writeFileSync(sourcePath, source);
  const { component } = await build({
    sourcePath,
    witPath,
    worldName: 'plugin',
    disableFeatures: ['stdio', 'random', 'clocks', 'http', 'fetch-event'],
  });
  return component;
}

type StarlingMonkey = {
  componentize(options: {
    sourcePath: string;
    witPath: string;
    worldName: string;
    disableFeatures: string[];
  }): Promise<{ component: Uint8Array }>;
};

async function loadStarlingMonkey(): Promise<StarlingMonkey> {
  const name = '@bytecodealliance/componentize-js';
  try {
    return (await import(name)) as StarlingMonkey;
  } catch (thrown) {
    throw new BuildError(`--engine starlingmonkey needs "npm install --save-dev ${name}"`, {
      cause: thrown,
    });
  }
}
