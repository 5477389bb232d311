import { matchesGlob } from 'node:path';
import type { Hook } from '../../contracts/config.ts';
import { KernelError } from '../../contracts/error.ts';
import type { InvokeOptions, ToolCall, ToolEvent, ToolOutput } from '../../contracts/tool.ts';
import type { PluginHost } from '../../host/plugin-host.ts';
import { truncateMiddle } from '../../lib/text/truncate-middle.ts';
import type { KernelConsent } from '../consent/create-consent.ts';
import type { KernelCore } from '../core.ts';
import { createProgramPorts } from '../plugins/host-services.ts';
import { createProgramLookUp } from '../plugins/look-up-programs.ts';
import { changesFiles, createRunHook, type HookEnd, hookText } from './run-hook.ts';

/** The most bytes of a tool's text that a hook gets. */
const maxToldBytes = 64 * 1024;

export type KernelHooks = {
  /** The same host, but hooks see its calls and may refuse them. */
  around(host: PluginHost): PluginHost;
  /** Runs those for the end of a run. */
  end(run: string, signal: AbortSignal): Promise<void>;
};

/**
 * Runs the person's programs around calls of tools. A hook that judges a call must say yes: if it
 * is missing, hangs or fails, the call is refused, because the call's author could have broken it.
 */
export function createHooks(core: KernelCore, consent: KernelConsent): KernelHooks {
  const { config, clock, store, warn } = core;
  if (config.hooks.length === 0) return { around: (host) => host, end: async () => {} };
  const { programSandbox } = consent;
  const { resolveHost, askYesNo } = core.options;
  const { lookUp } = createProgramLookUp({
    ...{ config, store, askYesNo, warn },
    commandRules: consent.rules,
  });
  const runHook = createRunHook({
    ...createProgramPorts({ config, clock, store, warn, programSandbox, resolveHost }),
    lookUp,
    folder: config.workFolder ?? config.workspace,
  });
  const hooksOf = (on: Hook['on'], tool?: string): Hook[] =>
    config.hooks.filter(
      (hook) =>
        hook.on === on &&
        (tool === undefined || hook.tools === undefined || matchesGlob(tool, hook.tools)) &&
        // Changes of a dry run are those of its tools.
        !(core.dry !== undefined && changesFiles(hook)),
    );
  const changedBy = async (run: string, step?: string, after = -1) => {
    const rows = (await store()).changes.rowsOf(run);
    const own = rows.filter((row) => row.seq > after && (step === undefined || row.step === step));
    return {
      last: rows.at(-1)?.seq ?? -1,
      paths: [...new Set(own.map(({ path, target }) => target ?? path))],
    };
  };

  async function* hooked(
    { tool, input }: ToolCall,
    options: InvokeOptions,
    invoke: () => AsyncIterable<ToolEvent>,
  ): AsyncGenerator<ToolEvent> {
    const { run = '', step = '', signal } = options;
    const caller = {
      run,
      step,
      tool,
      signal,
      record: (call) => options.record?.(call),
    } satisfies Parameters<typeof runHook>[2];
    const told = { run, step, tool, input, workspace: config.workspace };
    for (const hook of hooksOf('before-tool', tool)) {
      const { verdict, words } = await runHook(hook, told, caller);
      if (verdict !== 'passed') throw refusal(hook, tool, words);
    }
    const editHooks = hooksOf('after-edit', tool);
    const { last } = editHooks.length === 0 ? { last: -1 } : await changedBy(run);
    let output: ToolOutput | undefined;
    let failure: unknown;
    try {
      for await (const event of invoke()) {
        if (event.type === 'output') output = event.output;
        else yield event;
      }
    } catch (thrown) {
      failure = thrown;
    }
    if (signal.aborted) throw failure ?? KernelError.from(signal.reason, 'canceled');
    let refused: KernelError | undefined;
    const hear = (hook: Hook, { verdict, words }: HookEnd): void => {
      if (verdict === 'refused') refused ??= objection(hook, tool, words);
      if (verdict === 'failed') warn(`${hookText(hook)} after ${tool} did not work: ${words}`);
    };
    const ended =
      output === undefined
        ? { error: KernelError.from(failure, 'internal').message }
        : { summary: output.summary, content: truncateMiddle(output.content, maxToldBytes) };
    for (const hook of hooksOf('after-tool', tool))
      hear(hook, await runHook(hook, { ...told, ...ended }, caller));
    const { paths } = editHooks.length === 0 ? { paths: [] } : await changedBy(run, step, last);
    if (paths.length > 0) {
      for (const hook of editHooks) hear(hook, await runHook(hook, { ...told, paths }, caller));
    }
    if (output === undefined) throw failure;
    if (refused !== undefined) throw refused;
    yield { type: 'output', output };
  }

  return {
    around: (host) => ({
      ...host,
      invoke: (call, options) => {
        const invoke = (): AsyncIterable<ToolEvent> => host.invoke(call, options);
        // No hooks for a rehearsal or a call without a run: these change nothing.
        const { run, rehearsal } = options;
        return run === undefined || rehearsal !== undefined
          ? invoke()
          : hooked(call, options, invoke);
      },
    }),
    end: async (run, signal) => {
      const hooks = hooksOf('end');
      if (hooks.length === 0 || signal.aborted) return;
      const { paths } = await changedBy(run);
      for (const hook of hooks) {
        const told = { run, workspace: config.workspace, paths };
        const { verdict, words } = await runHook(hook, told, { run, signal });
        if (verdict !== 'passed') warn(`${hookText(hook)} at the end of the run: ${words}`);
      }
    },
  };
}

function refusal(hook: Hook, tool: string, words: string): KernelError {
  return new KernelError('permission-denied', `${hookText(hook)} refuses ${tool}: ${words}`, {
    hint: 'It stands in config.toml under [[hooks]].',
  });
}

/** The error after a call was made: the caller learns the hook's objection. */
function objection(hook: Hook, tool: string, words: string): KernelError {
  return new KernelError(
    'tool-failed',
    `${tool} was done, and ${hookText(hook)} objects: ${words}`,
    {
      hint: 'Correct it, or take the run back with: cuervo undo',
    },
  );
}
