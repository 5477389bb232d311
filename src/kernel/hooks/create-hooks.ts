import { matchesGlob } from 'node:path';
import type { Hook } from '../../contracts/config.ts';
import { KernelError } from '../../contracts/error.ts';
import { type HostCaller, ServiceError } from '../../contracts/host-service.ts';
import type {
  HostCall,
  InvokeOptions,
  ToolCall,
  ToolEvent,
  ToolOutput,
} from '../../contracts/tool.ts';
import type { ExecPorts } from '../../host/interfaces/exec.ts';
import type { PluginHost } from '../../host/plugin-host.ts';
import { workRoot } from '../../lib/files/paths.ts';
import { truncateMiddle } from '../../lib/text/truncate-middle.ts';
import { createTurns } from '../../lib/turns.ts';
import { ProgramRefused } from '../../programs/exec/find-program.ts';
import { commandText } from '../../programs/exec/program-output.ts';
import { createProgramRunner, type ProgramPorts } from '../../programs/exec/run-program.ts';
import type { KernelConsent } from '../consent/create-consent.ts';
import type { KernelCore } from '../core.ts';
import { createProgramPorts } from '../plugins/host-services.ts';
import { createProgramLookUp } from '../plugins/look-up-programs.ts';

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

/** The most bytes that are kept of a hook's output. */
const maxOutputBytes = 64 * 1024;
const maxWords = 2000;

export type HookEnd = {
  /** `failed` where it gave no judgement: it is missing, hangs, or ends with another code */
  verdict: 'passed' | 'refused' | 'failed';
  /** what it printed, or why it failed */
  words: string;
};

export type RunHook = (
  hook: Hook,
  told: Readonly<Record<string, unknown>>,
  caller: Pick<HostCaller, 'run' | 'step' | 'tool' | 'signal'> & { record?(call: HostCall): void },
) => Promise<HookEnd>;

function hookText({ run }: Hook): string {
  return `hook "${commandText(run, 120)}"`;
}

/** Runs hooks one after the other, each as a program of the workspace; only a cancel throws. */
function createRunHook(
  ports: ProgramPorts & { lookUp: ExecPorts['lookUp']; folder: string },
): RunHook {
  const confined = createProgramRunner(ports);
  const unconfined = createProgramRunner({ ...ports, sandbox: async () => ({ tier: 'none' }) });
  const turns = createTurns(1);
  const folders = { [workRoot]: ports.folder };

  return async (hook, told, { record, ...by }) => {
    using _ = await turns.take(by.signal);
    const caller: HostCaller = { ...by, plugin: 'hook', digest: '' };
    const [program = '', ...args] = hook.run;
    const startedMs = performance.now();
    let outcome: HostCall['outcome'] = 'ok';
    try {
      if (!hook.sandbox && program.includes('/')) throw writable();
      const found = await ports.lookUp(program, { folders, cwd: `${workRoot}:` }, caller);
      if (!hook.sandbox && found.own?.from === 'workspace') throw writable();
      const done = await (hook.sandbox ? confined : unconfined)(found, {
        ...{ program, args, folders, caller, maxOutputBytes },
        ...{ cwd: `${workRoot}:`, origins: [], timeoutMs: hook.timeoutMs },
        // A judging hook needs no write access.
        readOnly: !changesFiles(hook),
        stdin: JSON.stringify({ on: hook.on, ...told }),
      });
      const words = (done.stderr.trim() || done.stdout.trim()).slice(0, maxWords);
      if (done.exitCode === 0) return { verdict: 'passed', words };
      if (done.exitCode === 2) return { verdict: 'refused', words };
      const how = done.signal === undefined ? `with ${done.exitCode}` : `by ${done.signal}`;
      return { verdict: 'failed', words: [`it ended ${how}`, words].filter(Boolean).join(': ') };
    } catch (thrown) {
      if (by.signal.aborted) throw KernelError.from(by.signal.reason, 'canceled');
      if (!(thrown instanceof ServiceError) && !(thrown instanceof ProgramRefused)) throw thrown;
      outcome = thrown.tag;
      return { verdict: 'failed', words: thrown.message };
    } finally {
      const target = `${hook.on} ${commandText(hook.run, 400)}`;
      record?.({ call: 'hook.run', target, outcome, durationMs: performance.now() - startedMs });
    }
  };
}

/** Refuses a workspace file outside the sandbox: a run could have written it, to escape by it. */
function writable(): ServiceError {
  return new ServiceError('denied', 'a file of the workspace runs in the sandbox alone');
}

/** Whether a hook may change files; others get a read-only workspace. */
function changesFiles({ on }: Hook): boolean {
  return on === 'after-edit' || on === 'end';
}
