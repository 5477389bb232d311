import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { capabilityNames } from '../../contracts/capabilities.ts';
import type { Manifest } from '../../contracts/capability.ts';
import { KernelError } from '../../contracts/error.ts';
import { withPath } from '../../lib/files/write-file-whole.ts';
import { createOrphanReaper } from '../../lib/process/child.ts';
import { sha256 } from '../../lib/sha256.ts';
import { adapterFile } from '../../protocol/bindings.ts';
import type { CallMessage } from '../../protocol/messages.ts';
import { type HostLimits, hostCallsOf } from '../limits.ts';
import { PluginProcess } from '../run/plugin-process.ts';
import { actTools, listingAdapter, listTools } from './component/act-tools.ts';
import { boundModule, planMemoryBounds, planTableBounds } from './component/bound-module.ts';
import { pageBytes } from './component/core-module.ts';
import { parseDescribe } from './component/parse-describe.ts';
import type { Examined, PrepareOptions } from './examine-plugin.ts';
import type { PluginRecord, PreparedFile } from './plugin-record.ts';
import { renameExterns } from './transpile/edit-glue.ts';
import { codeFile, compileScript, transpileComponent } from './transpile/transpile-component.ts';

/**
 * A plugin is prepared for the limit that stands while it is installed, the built-in ones for the
 * default; where the limit was lowered since, no instance of it could be made.
 *
 * @throws {KernelError} `resource-exhausted` when its memories may take more than `maxMemoryBytes`
 */
export function requireMemory(
  { record, builtin }: { record: Pick<PluginRecord, 'name' | 'pages'>; builtin: boolean },
  maxMemoryBytes: number,
): void {
  const pages = Object.values(record.pages).reduce((sum, each) => sum + each, 0);
  if (pages <= Math.floor(maxMemoryBytes / pageBytes)) return;
  const bytes = pages * pageBytes;
  const key = 'limits.max-memory-bytes';
  const message = `the plugin ${record.name} is prepared for ${bytes} bytes of memory, limit ${maxMemoryBytes} (${key})`;
  const raise = `et ${key} to ${bytes} or more where it is set, in config.toml or cuervo.toml.`;
  throw new KernelError('resource-exhausted', message, {
    hint: builtin
      ? `S${raise}`
      : `Install the plugin again to prepare it for that limit; or s${raise}`,
  });
}

/** The transpiler gives the glue this name. */
const glueFile = 'component.js';

/** Version of the transpiler, with ours of what is done to its output. */
export const transpilerVersion = 'jco-transpile 0.15.0 / 13';

/**
 * Makes a folder from which plugin processes run the component: glue and core modules with
 * bounded memories. Then asks it for its tools, in a process without any capability.
 *
 * @param folder created; on failure what was written stays for the caller to remove
 * @throws {KernelError} `plugin-fault` with the reason, `deadline-exceeded`
 */
export async function preparePlugin(
  bytes: Uint8Array,
  examined: Examined & { manifest: Manifest },
  folder: string,
  options: PrepareOptions,
): Promise<Omit<PluginRecord, 'imports' | 'exports' | 'source' | 'installedMs'>> {
  const { limits, signal, bundles } = options;
  const { manifest, derived, told, act, judgement } = examined;
  const { transpile: bundle } = bundles;
  const { confine } = options.sandbox;
  const child = { bundle, confine, timeoutMs: limits.transpileTimeoutMs, signal };
  const files = await transpileComponent(renameExterns(examined.component), child);
  files.set(codeFile, await compileScript(files.get(glueFile) ?? Buffer.of(), child));
  const pages = boundFiles(files, limits);
  const adapter = act === undefined ? derived?.adapter : listingAdapter(act);
  if (adapter !== undefined) files.set(adapterFile, Buffer.from(JSON.stringify(adapter)));
  const open = openMessage({ pages, files: namesOf(files) }, limits);
  const asked = act === undefined ? describing : listing;
  const described = await askForTools(preparedOf(files), open, { ...options, asked });
  const listed = act === undefined ? undefined : actTools(`${described}`, act, judgement.effect);
  if (listed !== undefined) files.set(adapterFile, Buffer.from(JSON.stringify(listed.adapter)));
  const tools = derived?.tools ?? told ?? listed?.tools ?? parseDescribe(described);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const [name, content] of [...files, ['component.wasm', bytes] as const]) {
    const path = join(folder, name);
    withPath(path, () => writeFileSync(path, content));
  }
  const digests = preparedOf(files).map(({ name, digest }) => [name, digest] as const);
  return {
    name: manifest.name,
    version: manifest.version,
    description: manifest.description,
    sha256: sha256(bytes),
    size: bytes.byteLength,
    wants: manifest.wants,
    ...(manifest.limits === undefined ? {} : { limits: manifest.limits }),
    tools,
    transpiler: transpilerVersion,
    files: Object.fromEntries(digests),
    pages,
    maxPages: open.maxPages,
    memoryBytes: limits.maxMemoryBytes,
    ...(manifest.licence === undefined ? {} : { licence: manifest.licence }),
    ...(manifest.homepage === undefined ? {} : { homepage: manifest.homepage }),
  };
}

/** Puts a maximum on every memory and table; returns the pages of each module. */
function boundFiles(files: Map<string, Buffer>, limits: HostLimits): Record<string, number> {
  const modules = [...files].filter(([name]) => name.endsWith('.wasm'));
  const contents = modules.map(([, content]) => content);
  const bounds = planMemoryBounds(contents, limits.maxMemoryBytes);
  const tables = planTableBounds(contents, limits.maxTableElements);
  const pages: Record<string, number> = {};
  modules.forEach(([name, content], index) => {
    const maxPages = bounds[index] ?? [];
    const bounded = boundModule(content, {
      maxPages,
      maxTableElements: tables[index] ?? [],
    });
    files.set(name, Buffer.from(bounded));
    pages[name] = maxPages.reduce((sum, each) => sum + each, 0);
  });
  return pages;
}

function preparedOf(files: ReadonlyMap<string, Buffer>): PreparedFile[] {
  return [...files].map(([name, bytes]) => ({ name, digest: sha256(bytes), bytes }));
}

/** The files as the record of a plugin names them; their digests are not known yet. */
function namesOf(files: ReadonlyMap<string, unknown>): Record<string, string> {
  return Object.fromEntries([...files.keys()].map((name) => [name, '']));
}

/** The message that opens a plugin process, beside its folder and roots. */
export function openMessage(
  asked: Pick<PluginRecord, 'pages' | 'files' | 'limits'>,
  limits: HostLimits,
): {
  entry: string;
  code?: string;
  adapter?: string;
  pages: Readonly<Record<string, number>>;
  maxPages: number;
  limits: Pick<HostLimits, 'maxResultBytes' | 'maxHostCalls' | 'maxLogBytes'>;
} {
  const { pages, files } = asked;
  const { maxResultBytes, maxLogBytes } = limits;
  const maxHostCalls = hostCallsOf(asked.limits?.hostCalls, limits);
  return {
    entry: glueFile,
    ...(codeFile in files ? { code: codeFile } : {}),
    ...(adapterFile in files ? { adapter: adapterFile } : {}),
    pages,
    maxPages: Math.floor(limits.maxMemoryBytes / 65_536),
    limits: { maxResultBytes, maxHostCalls, maxLogBytes },
  };
}

type Asked = { call: Omit<CallMessage, 'id'>; what: string };

const describing: Asked = {
  what: 'describe()',
  call: { tool: '', input: '', effect: 'pure', denied: {} },
};
const noCapability = 'a plugin is asked for its tools without any capability';
/** A call like another, in which everything is denied. */
const listing: Asked = {
  what: listTools,
  call: {
    ...{ tool: listTools, input: '{}', effect: 'pure' },
    denied: Object.fromEntries(capabilityNames.map((name) => [name, noCapability])),
  },
};

async function askForTools(
  files: readonly PreparedFile[],
  open: ReturnType<typeof openMessage>,
  options: PrepareOptions & { asked: Asked },
): Promise<unknown> {
  const { limits, asked } = options;
  using orphanReaper = createOrphanReaper();
  await using child = new PluginProcess({
    bundle: options.bundles.process,
    roots: {},
    withheld: {},
    sandbox: options.sandbox,
    startTimeoutMs: limits.startTimeoutMs,
    orphanReaper,
  });
  child.load({ open: { ...open, protectedPaths: {} }, files: () => files });
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(limits.startTimeoutMs)]);
  const result = await child.call(asked.call, { signal }).catch((thrown: unknown) => {
    const error = KernelError.from(thrown, 'internal');
    if (error.code !== 'resource-exhausted') throw error;
    const message = `${asked.what} failed: ${error.message}`;
    throw new KernelError('plugin-fault', message, { cause: error });
  });
  if (result.outcome === 'described') return result.tools;
  if (result.outcome === 'ok') return result.content;
  throw new KernelError('plugin-fault', `${asked.what} failed: ${result.message}`);
}
