import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { OpenMessage } from '../protocol/messages.ts';
import type { Adapter } from '../protocol/value-type.ts';
import { adaptExports, type CallableTools } from './adapters/adapt-exports.ts';
import type { GuestImports } from './guest-imports.ts';

type Instantiate = (
  getCoreModule: (file: string) => WebAssembly.Module,
  imports: Record<string, unknown>,
  instantiateCore: (
    module: WebAssembly.Module,
    imports: WebAssembly.Imports,
  ) => WebAssembly.Instance,
) => Record<string, unknown>;

/**
 * Compiles the component once; each call of the returned function is a fresh instance
 * with memories of its own.
 *
 * The memory bound of a module holds for each of its instances, so the sum is taken
 * here, where instances are made, whatever the component's own structure says.
 */
export async function loadComponent(
  open: OpenMessage,
  { imports, wasi, log }: Pick<GuestImports, 'imports' | 'wasi' | 'log'>,
): Promise<() => CallableTools> {
  const entry = pathToFileURL(join(open.folder, open.entry)).href;
  const { instantiate } = (await import(entry)) as { instantiate: Instantiate };
  const adapter =
    open.adapter === undefined
      ? undefined
      : (JSON.parse(readFileSync(join(open.folder, open.adapter), 'utf8')) as Adapter);
  const { maxResultBytes } = open.limits;
  const modules = new Map<string, WebAssembly.Module>();
  const files = new Map<WebAssembly.Module, string>();

  const getCoreModule = (file: string): WebAssembly.Module => {
    const known = modules.get(file);
    if (known !== undefined) return known;
    const compiled = new WebAssembly.Module(readFileSync(join(open.folder, file)));
    modules.set(file, compiled);
    files.set(compiled, file);
    return compiled;
  };

  return () => {
    let pages = 0;
    const instantiateCore = (
      module: WebAssembly.Module,
      moduleImports: WebAssembly.Imports,
    ): WebAssembly.Instance => {
      pages += open.pages[files.get(module) ?? ''] ?? 0;
      if (pages > open.maxPages) {
        throw new RangeError(`memories of ${pages} pages in one instance, limit ${open.maxPages}`);
      }
      return new WebAssembly.Instance(module, moduleImports);
    };
    const exports = instantiate(getCoreModule, imports, instantiateCore);
    return adaptExports(exports, { adapter, wasi, maxResultBytes, log });
  };
}
