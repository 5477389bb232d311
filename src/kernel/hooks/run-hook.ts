import type { Hook } from '../../contracts/config.ts';
import { KernelError } from '../../contracts/error.ts';
import { type HostCaller, ServiceError } from '../../contracts/host-service.ts';
import type { HostCall } from '../../contracts/tool.ts';
import type { ExecPorts } from '../../host/interfaces/exec.ts';
import { workRoot } from '../../lib/files/paths.ts';
import { createTurns } from '../../lib/turns.ts';
import { ProgramRefused } from '../../programs/exec/find-program.ts';
import { commandText } from '../../programs/exec/program-output.ts';
import { createProgramRunner, type ProgramPorts } from '../../programs/exec/run-program.ts';

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

export function hookText({ run }: Hook): string {
  return `hook "${commandText(run, 120)}"`;
}

/** Runs hooks one after the other, each as a program of the workspace; only a cancel throws. */
export function createRunHook(
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
export function changesFiles({ on }: Hook): boolean {
  return on === 'after-edit' || on === 'end';
}
