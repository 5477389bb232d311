import type { Adapter } from '../../protocol/bindings.ts';
import type { OpenMessage } from '../../protocol/messages.ts';
import {
  adaptExports,
  type CallableTools,
  type CopyBound,
} from '../../wasi/adapters/adapt-exports.ts';
import type { GuestImports } from './guest-imports.ts';
import type { ReceivedFiles } from './read-frames.ts';

type Instantiate = (
  getCoreModule: (file: string) => WebAssembly.Module,
  imports: Record<string, unknown>,
  instantiateCore: (
    module: WebAssembly.Module,
    imports: WebAssembly.Imports,
  ) => WebAssembly.Instance,
) => Record<string, unknown>;

/**
 * Loads the component once; each call of the returned function is a fresh instance with
 * memories of its own.
 *
 * Each instance of a module may use the module's bound of memory. So the sum is checked here, where
 * instances are made, whatever structure the component has.
 */
export function loadComponent(
  open: OpenMessage,
  received: ReceivedFiles,
  { imports, wasi, log, progress }: Pick<GuestImports, 'imports' | 'wasi' | 'log' | 'progress'>,
  copies: CopyBound,
): () => CallableTools {
  const digestOf = (file: string): string =>
    (Object.hasOwn(open.files, file) ? open.files[file] : undefined) ?? '';
  const instantiate = received.run(
    digestOf(open.entry),
    open.code === undefined ? undefined : digestOf(open.code),
  ) as Instantiate;
  const adapter =
    open.adapter === undefined
      ? undefined
      : (JSON.parse(received.text(digestOf(open.adapter))) as Adapter);
  const { maxResultBytes } = open.limits;
  const getCoreModule = (file: string): WebAssembly.Module => received.module(digestOf(file));
  // Two files of one component may hold the same bytes, and then are one module.
  const pagesOf = new Map<WebAssembly.Module, number>();
  for (const [file, pages] of Object.entries(open.pages)) {
    const module = getCoreModule(file);
    pagesOf.set(module, Math.max(pages, pagesOf.get(module) ?? 0));
  }

  return () => {
    let pages = 0;
    const instantiateCore = (
      module: WebAssembly.Module,
      moduleImports: WebAssembly.Imports,
    ): WebAssembly.Instance => {
      pages += pagesOf.get(module) ?? 0;
      if (pages > open.maxPages) {
        throw new RangeError(`memories of ${pages} pages in one instance, limit ${open.maxPages}`);
      }
      const instance = new WebAssembly.Instance(module, copies.watch(moduleImports));
      copies.add(instance);
      return instance;
    };
    copies.begin();
    const exports = instantiate(getCoreModule, imports, instantiateCore);
    const { describe, call } = adaptExports(exports, {
      ...{ adapter, wasi, maxResultBytes, log, progress },
    });
    return {
      describe,
      call: (tool, input, take) => {
        copies.reset();
        return call(tool, input, take);
      },
    };
  };
}
