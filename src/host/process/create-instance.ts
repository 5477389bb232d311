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
  host: { isOver: boolean; onTask(task: Task): void },
) => Record<string, unknown>;

/** A call into the component, or from one part of it to another, as the glue keeps it. */
type Task = { requestCancellation(): void; exitPromise(): Promise<undefined> };

export type Instance = CallableTools & {
  /** Tells the guest that its call is to end, where it waits. */
  cancel(): void;
};

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
): () => Instance {
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

  let host = { isOver: false, onTask: (_: Task): void => {} };
  return () => {
    host.isOver = true;
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
    let called: Task | undefined;
    let isCanceled = false;
    host = { isOver: false, onTask: (task) => (called ??= task) };
    const exports = instantiate(getCoreModule, imports, instantiateCore, host);
    const reading = new Set<Disposable>();
    const { describe, call } = adaptExports(exports, {
      ...{ adapter, maxResultBytes, log, progress, reading },
      // What it says while it ends is heard, too.
      wasi: { ...wasi, settled: () => (isCanceled ? called?.exitPromise() : wasi.settled()) },
    });
    return {
      describe,
      call: (tool, input, take) => {
        copies.reset();
        called = undefined;
        return call(tool, input, take);
      },
      cancel: () => {
        isCanceled = true;
        called?.requestCancellation();
        // A call that has returned has an end that is still written.
        for (const stream of reading) stream[Symbol.dispose]();
      },
    };
  };
}
