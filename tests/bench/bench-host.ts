import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { HostService } from '../../src/contracts/host-service.ts';
import type { ToolInvoker } from '../../src/contracts/tool.ts';
import type { PluginRecord } from '../../src/host/install/plugin-record.ts';
import { openPluginStore, type PluginStore } from '../../src/host/install/plugin-store.ts';
import { defaultLimits } from '../../src/host/limits.ts';
import { createPluginHost, type PluginHost } from '../../src/host/plugin-host.ts';
import { once } from '../../src/lib/memo.ts';
import { createProcessSandbox } from '../../src/sandbox/process-sandbox.ts';
import { runProgram } from './run-program.ts';

export const root = resolve(import.meta.dirname, '../..');
export const dist = join(root, 'dist');
/** Plugins of the bench's own. */
export const benchPlugins = join(import.meta.dirname, 'plugins');
export const processBundle = join(dist, 'process.cjs');

/** A plugin that is timed, installed into a store of its own. */
export type BenchPlugin = Disposable & {
  store: PluginStore;
  record: PluginRecord;
  /** the folder of the store, which can be a home */
  folder: string;
};

/**
 * The caller owns it.
 *
 * @param source its folder, which the SDK builds, or a component
 */
export async function installFrom(source: string): Promise<BenchPlugin> {
  const folder = mkdtempSync(join(tmpdir(), 'cuervo-bench-plugin-'));
  const builder = join(import.meta.dirname, 'children', 'install-plugin.ts');
  const { code, stderr } = await runProgram(process.execPath, [builder, source, folder], {
    cwd: root,
  });
  const store = openPluginStore(folder);
  const [record] = store.list();
  if (code !== 0 || record === undefined) throw new Error(`${source} was not built: ${stderr}`);
  return {
    store,
    record,
    folder,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A `CUERVO_HOME` that is there, as it is for every command but the first. */
const home = once((): string => {
  const folder = mkdtempSync(join(tmpdir(), 'cuervo-bench-home-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
});

/** A plugin host as the kernel opens it, `store` that of a stranger. The caller owns it. */
export function openHost(
  store: PluginStore,
  roots: Readonly<Record<string, string>> = {},
  services: ReadonlyMap<string, HostService> = new Map(),
): PluginHost {
  return createPluginHost({
    stores: [{ store, builtin: false }],
    permit: () => ({ denied: {}, roots }),
    protectedPaths: {},
    services,
    processBundle,
    sandbox: createProcessSandbox('auto', { home: home() }),
    limits: defaultLimits,
  });
}

/** One for all calls, as the steps of a run share theirs. */
const { signal } = new AbortController();

/** @returns the tool's content */
export async function callTool(
  host: ToolInvoker,
  tool: string,
  input: Parameters<ToolInvoker['invoke']>[0]['input'],
): Promise<string> {
  const call = { tool, input };
  const options = { signal, timeoutMs: defaultLimits.callTimeoutMs };
  let content: string | undefined;
  for await (const event of host.invoke(call, options)) {
    if (event.type === 'output') content = event.output.content;
  }
  if (content === undefined) throw new Error(`${tool} gave no output`);
  return content;
}
