import type { ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';
import { addSection } from './add-section.ts';
import { BuildError } from './build-error.ts';
import { bundleForEngine } from './bundle-for-engine.ts';
import { checkImports } from './bundle-plugin.ts';
import { checkErrorCodes } from './check-error-codes.ts';
import { checkOutput } from './check-output.ts';
import { componentize, type Engine, type KeepComponent } from './componentize.ts';
import { describePlugin } from './describe-plugin.ts';
import type { LoadTool } from './load-tool.ts';
import { makeWorld } from './make-world.ts';
import type { PluginDescription } from './plugin-description.ts';
import { sourceMapSection } from './source-map-section.ts';
import { reachedBy, tellAbsent } from './tell-absent.ts';
import { outputOf, writeOutput } from './write-output.ts';

export type BuildOptions = {
  /** folder with `plugin.ts` or `plugin.js` */
  folder: string;
  /** as of `BundleOptions` */
  origin?: string | undefined;
  /** default `FOLDER/dist/NAME.wasm` */
  out?: string;
  engine: Engine;
  /** without the map by which an error names file and line of a source */
  release?: boolean;
  /**
   * Where a second binary goes if the plugin writes to console and does not want `log`: one that
   * wants it, so that its author sees the lines.
   */
  consoleOut?: string | undefined;
  /** adds a want of `log` */
  wantsLog?: boolean;
  /** folder of the SDK's sources */
  sdkFolder: string;
  /** folder of the WIT packages `host` and `plugin` */
  witFolder: string;
  /** brings the bundler and the engine; default: installed packages of these names */
  load?: LoadTool;
  /** gives a component from an earlier build of the same inputs; absent: always builds anew */
  keep?: KeepComponent | undefined;
  /** why a plugin with this description could not be installed; undefined if it could */
  whyRefused?: (description: PluginDescription) => string | undefined;
  /** of Node, for the process that is told what the plugin is: it runs the plugin's own code */
  nodeFlags?: readonly string[];
  /** called with each started process, to end it when this one is killed */
  watch?: (child: ChildProcess) => void;
};

export type Built = {
  file: string;
  bytes: number;
  description: PluginDescription;
  /** the binary of `consoleOut`, where it was made */
  seen?: string;
  /** what is right and may still surprise the author, one sentence each */
  notes: string[];
  /** files of the author that it was made of, absolute */
  inputs: string[];
};

/**
 * One `.wasm` of a plugin folder: described, bundled, checked for what the engine lacks,
 * componentized for its own world, and given its manifest.
 *
 * @throws {BuildError} the author's mistake, with what to change
 */
export async function buildPlugin(options: BuildOptions): Promise<Built> {
  const folder = resolve(options.folder);
  const { origin, sdkFolder, engine, nodeFlags, watch, load = (name) => import(name) } = options;
  const description = await describePlugin({ folder, origin, sdkFolder, load, nodeFlags, watch });
  const manifest = options.wantsLog ? withLog(description.manifest) : description.manifest;
  const { tools } = description;
  const refused = options.whyRefused?.(description);
  if (refused !== undefined) throw new BuildError(refused);
  const file = outputOf(folder, manifest.name, options.out);
  checkOutput(file);
  const capabilities = new Set<string>(manifest.wants.map((want) => want.capability));
  const bundle = await bundleForEngine({
    ...{ folder, origin, sdkFolder, load, capabilities },
    entryWith: (shims) => guestEntry(capabilities, tools, engine === 'quickjs' ? shims : []),
  });
  checkImports(bundle.code, capabilities);
  checkErrorCodes(bundle);
  const component = await componentize({
    bundle,
    world: makeWorld(manifest.name, manifest.wants),
    witFolder: options.witFolder,
    sdkFolder,
    engine,
    load,
    keep: options.keep,
  });
  const section = new TextEncoder().encode(JSON.stringify(manifest));
  let binary = addSection(component, 'cuervo:plugin', section);
  if (options.release !== true) binary = addSection(binary, ...sourceMapSection(bundle.map));
  writeOutput(file, binary);
  const notes = engine === 'quickjs' ? tellAbsent(bundle.absent, bundle) : [];
  if (!capabilities.has('clock') && bundle.time !== undefined) {
    const { file: reader, line } = bundle.time;
    const where = `${reader}:${line}${reachedBy(reader, bundle)}`;
    notes.push(`time stands still without clock, and is asked for: ${where}; ${seeTime}`);
  }
  const inputs = bundle.authored;
  if (!capabilities.has('log') && bundle.console !== undefined) {
    const { file: writer, line } = bundle.console;
    const where = `${writer}:${line}${reachedBy(writer, bundle)}`;
    const { consoleOut: seen, ...same } = options;
    const isShown = seen === undefined ? 'is dropped' : 'is shown here, and dropped elsewhere';
    notes.push(`what the plugin writes to console ${isShown}: ${where}; ${seeConsole}`);
    if (seen !== undefined) {
      await buildPlugin({ ...same, out: seen, wantsLog: true });
      return { file, bytes: binary.byteLength, description, notes, inputs, seen };
    }
  }
  return { file, bytes: binary.byteLength, description, notes, inputs };
}

const seeConsole =
  "to keep it, add { capability: 'log', why: '…' } to \"wants\"; log needs no grant";

const seeTime = "where it has to be the time, add { capability: 'clock', why: '…' } to \"wants\"";

function withLog(manifest: PluginDescription['manifest']): PluginDescription['manifest'] {
  const why = 'shows its author what it writes to console';
  return { ...manifest, wants: [...manifest.wants, { capability: 'log', why }] };
}

/** The module that the component runs: globals first, then the plugin behind the contract. */
function guestEntry(
  capabilities: ReadonlySet<string>,
  tools: PluginDescription['tools'],
  shims: readonly string[],
): string {
  const served = [
    { capability: 'clock', host: 'nowMs', from: 'nowMs' },
    { capability: 'log', host: 'write', from: 'write' },
    { capability: 'random', host: 'randomBytes', from: 'bytes' },
  ].filter(({ capability }) => capabilities.has(capability));
  return [
    "import { setPreludeHost } from './guest/install.ts';",
    ...shims.map((file) => `import './guest/globals/${file}.ts';`),
    ...served.map(
      ({ capability, host, from }) =>
        `import { ${from} as ${host} } from './host/${capability}.ts';`,
    ),
    "import { serveTools } from './guest/serve-tools.ts';",
    "import plugin from 'cuervo:plugin-entry';",
    `setPreludeHost({ ${served.map(({ host }) => host).join(', ')} });`,
    `export const tools = serveTools(plugin, ${JSON.stringify(tools)});`,
  ].join('\n');
}
