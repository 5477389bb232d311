import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { parse } from '@bytecodealliance/jco-transpile/wasm-tools';

/** Own `package.json` and lock; `node_modules` is installed there on first use. */
const folder = join(import.meta.dirname, 'peers');

export type McpEcho = { call(text: string): Promise<string>; close(): Promise<void> };

type McpModule = { openMcpEcho(server: string): Promise<McpEcho> };
type ExtismModule = { callExtismEcho(module: WebAssembly.Module, text: string): Promise<string> };

/** The sandbox of another project: a command line in, one that confines it out. */
export type SandboxRuntime = { wrap(command: string): Promise<string>; close(): Promise<void> };

type RuntimeModule = { openSandboxRuntime(work: string): Promise<SandboxRuntime> };

export type Peers = {
  openSandboxRuntime(work: string): Promise<SandboxRuntime>;
  openMcpEcho(): Promise<McpEcho>;
  /** the file of the server; its argument is the number of tools */
  mcpServer: string;
  callExtismEcho(text: string): Promise<string>;
};

/**
 * The peers, installed when they are not yet there in the versions of the lock.
 *
 * @throws {Error} in one line, when npm could not install them
 */
export async function openPeers(): Promise<Peers> {
  if (!isInstalled()) await install();
  const { openMcpEcho } = (await load('mcp-client.mjs')) as McpModule;
  const { callExtismEcho } = (await load('extism-echo.mjs')) as ExtismModule;
  const echo = new WebAssembly.Module(await assemble('extism-echo.wat'));
  const { openSandboxRuntime } = (await load('sandbox-runtime.mjs')) as RuntimeModule;
  return {
    openSandboxRuntime,
    openMcpEcho: () => openMcpEcho(join(folder, 'mcp-server.mjs')),
    mcpServer: join(folder, 'mcp-server.mjs'),
    callExtismEcho: (text) => callExtismEcho(echo, text),
  };
}

function isInstalled(): boolean {
  const wanted = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  return Object.entries(wanted.dependencies).every(([name, version]) => {
    try {
      const file = join(folder, 'node_modules', name, 'package.json');
      return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version === version;
    } catch {
      return false;
    }
  });
}

async function install(): Promise<void> {
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    await promisify(execFile)('npm', args, { cwd: folder, timeout: 180_000 });
  } catch (thrown) {
    const detail = (thrown as { stderr?: string }).stderr?.split('\n', 1)[0] || String(thrown);
    throw new Error(`the peers could not be installed: ${detail}`, { cause: thrown });
  }
}

/** Peers are not dependencies of the project, so they are found at run time. */
async function load(file: string): Promise<unknown> {
  return await import(pathToFileURL(join(folder, file)).href);
}

async function assemble(file: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await parse(readFileSync(join(folder, file), 'utf8')));
}
