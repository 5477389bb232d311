import { type FSWatcher, watch } from 'node:fs';
import { sep } from 'node:path';
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { KernelError } from '../../contracts/error.ts';
import { splitWords } from '../../lib/text/split-words.ts';
import { listenForInterrupt } from '../interrupt.ts';
import { addCommonFlags, type CommonFlags, kernelOptions } from '../kernel-options.ts';
import { note, oneLine, print, tellError } from '../output.ts';
import { readInput } from '../run-input.ts';
import { parseEngine } from './build.ts';
import { openScratch } from './open-scratch.ts';

type DevFlags = CommonFlags & { engine?: string };

/** Outputs of builds and tools: the author did not make a change there. */
const ignored =
  /(?:^|[\\/])(?:dist|target|node_modules|\.git|wit|__pycache__)(?:[\\/]|$)|~$|\.sw.$/;
const saveHint = 'Correct it and save: it is built and called again.';
/** An editor writes a file in several steps. */
const settleMs = 60;

export function addPluginDev(plugin: Command): void {
  addCommonFlags(
    plugin
      .command('dev [dir] [call...]')
      .description('build on every change and repeat the last call; lines that you type are calls')
      .option('--engine <engine>', 'as in plugin build'),
  ).action(async (dir = '.', call: string[], flags: DevFlags) => {
    using interrupt = listenForInterrupt();
    const { createGuardian } = await import('../../lib/create-guardian.ts');
    const { folderOf } = await import('../../../sdk/languages/build-folder.ts');
    using guardian = createGuardian();
    using scratch = openScratch();
    const { signal } = interrupt;
    const work = createWork({ dir, flags, watch: guardian.watch, signal, ...scratch });
    using changes = watchFolder(folderOf(dir), work.changed);
    const lines = createInterface({ input: process.stdin, terminal: false });
    lines.on('line', (line) => work.typed(line));
    try {
      await work.run(call);
    } finally {
      lines.close();
    }
    void changes;
  });
}

type Work = {
  /** A file of the folder was written. */
  changed(): void;
  typed(line: string): void;
  /** Until it is interrupted. */
  run(call: readonly string[]): Promise<void>;
};

function createWork(ports: {
  dir: string;
  flags: DevFlags;
  watch: Parameters<typeof import('./build-any.ts').buildAny>[0]['watch'];
  consoleOut: string;
  signal: AbortSignal;
}): Work {
  const { dir, flags, signal } = ports;
  let next = Promise.withResolvers<void>();
  let isStale = true;
  const typedLines: string[] = [];

  async function build(): Promise<string | undefined> {
    const startedMs = performance.now();
    const { buildAny } = await import('./build-any.ts');
    try {
      const built = await buildAny({
        named: dir,
        engine: parseEngine(flags.engine),
        consoleOut: ports.consoleOut,
        watch: ports.watch,
      });
      for (const text of built.notes) note(`note: ${text}`);
      note(`built ${built.manifest.name} in ${Math.round(performance.now() - startedMs)} ms`);
      return built.seen ?? built.file;
    } catch (thrown) {
      tellThrown(thrown, saveHint);
      return undefined;
    }
  }

  async function callOnce(file: string, call: readonly string[]): Promise<void> {
    const { openKernel } = await import('../../kernel.ts');
    const startedMs = performance.now();
    try {
      await using kernel = await openKernel({
        ...kernelOptions(flags, { set: () => {} }),
        plugins: [file],
      });
      const [tried] = kernel.plugins.tried();
      const names = tried?.tools.map(({ name }) => name) ?? [];
      if (call.length === 0) {
        note(`tools: ${names.join(', ')}; type one with its input, such as: ${names[0]} key=value`);
        return;
      }
      const [named = '', ...words] = call;
      const tool = named.includes('.') ? named : `${tried?.name}.${named}`;
      const schema = tried?.tools.find(({ name }) => `${tried.name}.${name}` === tool)?.inputSchema;
      const input = await readInput(tool, words, async () => schema);
      for await (const event of kernel.run(tool, input, { signal })) {
        if (event.type === 'result') {
          print(event.content);
          note(oneLine(event.summary));
        } else if (event.type === 'error') {
          const isAuthors = event.code === 'tool-failed' || event.code === 'plugin-fault';
          tellError(isAuthors ? { ...event, hint: saveHint } : event, { json: false });
        }
      }
      note(`called ${tool} in ${Math.round(performance.now() - startedMs)} ms`);
    } catch (thrown) {
      tellThrown(thrown);
    }
  }

  return {
    changed: () => {
      isStale = true;
      next.resolve();
    },
    typed: (line) => {
      typedLines.push(line);
      next.resolve();
    },
    run: async (first) => {
      let call = first;
      let file: string | undefined;
      signal.addEventListener('abort', () => next.resolve());
      let isTold = false;
      while (!signal.aborted) {
        next = Promise.withResolvers<void>();
        const line = typedLines.shift();
        const words = line === undefined ? [] : splitWords(line);
        if (words.length > 0) call = words;
        if (isStale) {
          isStale = false;
          file = await build();
          if (file !== undefined) await callOnce(file, call);
        } else if (words.length > 0 && file !== undefined) await callOnce(file, call);
        if (isStale || typedLines.length > 0) continue;
        if (!isTold) note('waiting: save a file, or type a call; ctrl-c ends');
        isTold = true;
        await next.promise;
      }
    },
  };
}

function tellThrown(thrown: unknown, ownHint?: string): void {
  const {
    code,
    message,
    hint = '',
  } = KernelError.from(thrown, 'internal') as KernelError & { hint?: string };
  tellError({ code, message, hint: ownHint ?? hint }, { json: false });
}

function watchFolder(folder: string, changed: () => void): FSWatcher & Disposable {
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch(folder, { recursive: true }, (_, name) => {
    if (name === null || ignored.test(name.split(sep).join('/'))) return;
    clearTimeout(timer);
    timer = setTimeout(changed, settleMs);
  });
  return Object.assign(watcher, {
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      watcher.close();
    },
  });
}
