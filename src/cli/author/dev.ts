import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import type { BuildInputs } from '../../../sdk/author/watch-inputs.ts';
import { KernelError } from '../../contracts/error.ts';
import { splitWords } from '../../lib/text/words.ts';
import { listenForInterrupt } from '../interrupt.ts';
import { addCommonFlags, type CommonFlags, kernelOptions } from '../kernel-options.ts';
import { note, oneLine, print, tellError } from '../output.ts';
import { readInput } from '../run-input.ts';
import { openScratch, parseEngine } from './author-commands.ts';

type DevFlags = CommonFlags & { engine?: string };

const saveHint = 'Correct it and save: it is built and called again.';

export function addPluginDev(plugin: Command): void {
  addCommonFlags(
    plugin
      .command('dev [dir] [call...]')
      .description('build on every change and repeat the last call; lines that you type are calls')
      .option('--engine <engine>', 'as in plugin build'),
  ).action(async (dir = '.', call: string[], flags: DevFlags) => {
    using interrupt = listenForInterrupt();
    const { createOrphanReaper } = await import('../../lib/process/child.ts');
    const { watchInputs } = await import('../../../sdk/author/watch-inputs.ts');
    using orphanReaper = createOrphanReaper();
    using scratch = openScratch();
    const { signal } = interrupt;
    const touched = (): void => work.touched();
    using inputs = watchInputs(dir, touched);
    const work = createWork({ dir, flags, watch: orphanReaper.watch, signal, inputs, ...scratch });
    const lines = createInterface({ input: process.stdin, terminal: false });
    lines.on('line', (line) => work.typed(line));
    try {
      await work.run(call);
    } finally {
      lines.close();
    }
  });
}

type Work = {
  /** A file was written, perhaps one that is built. */
  touched(): void;
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
  inputs: BuildInputs;
}): Work {
  const { dir, flags, signal, inputs } = ports;
  let next = Promise.withResolvers<void>();
  let isTouched = false;
  const typedLines: string[] = [];
  const toldNotes = new Set<string>();

  async function build(): Promise<string | undefined> {
    const startedMs = performance.now();
    const { buildAny } = await import('./build-any.ts');
    inputs.begin();
    try {
      const built = await buildAny({
        named: dir,
        engine: parseEngine(flags.engine),
        consoleOut: ports.consoleOut,
        watch: ports.watch,
      });
      inputs.end(built.inputs);
      for (const text of built.notes) {
        // the line of a place moves while its author edits
        const what = text.replace(/:\d+/g, '');
        if (!toldNotes.has(what)) note(`note: ${text}`);
        toldNotes.add(what);
      }
      note(`built ${built.manifest.name} in ${Math.round(performance.now() - startedMs)} ms`);
      return built.seen ?? built.file;
    } catch (thrown) {
      inputs.end(undefined);
      tellThrown(thrown, saveHint);
      return undefined;
    }
  }

  /** @returns whether it changed what the plugin is built of */
  async function callOnce(file: string, call: readonly string[]): Promise<boolean> {
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
        return false;
      }
      const [named = '', ...words] = call;
      const tool = named.includes('.') ? named : `${tried?.name}.${named}`;
      const called = tried?.tools.find(({ name }) => `${tried.name}.${name}` === tool);
      const input = await readInput(tool, words, async () => called?.inputSchema);
      for await (const event of kernel.run(tool, input, { signal })) {
        if (event.type === 'result') {
          print(event.content);
          note(oneLine(event.summary));
        } else if (event.type === 'error') {
          const isAuthors = event.code === 'tool-failed' || event.code === 'plugin-fault';
          tellError(isAuthors ? { ...event, hint: saveHint } : event, { json: false });
        }
      }
      const { effect = 'read' } = called ?? {};
      const isOwn = (effect === 'write' || effect === 'external') && inputs.isChanged();
      note(`called ${tool} in ${Math.round(performance.now() - startedMs)} ms`);
      return isOwn;
    } catch (thrown) {
      tellThrown(thrown);
      return false;
    }
  }

  return {
    touched: () => {
      isTouched = true;
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
      let isStale = true;
      while (!signal.aborted) {
        next = Promise.withResolvers<void>();
        const line = typedLines.shift();
        const words = line === undefined ? [] : splitWords(line);
        if (words.length > 0) call = words;
        if (isTouched) isStale ||= inputs.isChanged();
        isTouched = false;
        let isCalled = words.length > 0;
        if (isStale) {
          isStale = false;
          file = await build();
          isCalled = true;
        }
        if (isCalled && file !== undefined && (await callOnce(file, call))) {
          note(
            `the call changed a source: it is built again, and called when you type it: ${call.join(' ')}`,
          );
          file = await build();
        }
        if (isTouched || typedLines.length > 0) continue;
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
