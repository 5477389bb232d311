import { createOutputBuffer, StreamFault, type WasiIo } from './io/create-io.ts';
import { defineResource, ExitError, type ResourceCount } from './resource.ts';

export type CliInput = { args: readonly string[]; stdin: Uint8Array };

export type CliOutput = {
  stdout: Uint8Array;
  stderr: Uint8Array;
  /** undefined when the guest did not exit by itself */
  exitCode: number | undefined;
  /** why a part of standard output is missing */
  overflow: string | undefined;
};

export type WasiCli = {
  imports: Record<string, object>;
  begin(input: CliInput): void;
  hasExited(): boolean;
  /** what was written since `begin`, and forgets it */
  end(): CliOutput;
};

/**
 * `wasi:cli`. Nothing of the process that this runs in: arguments and standard input are the
 * call's, the environment is empty, the outputs are buffers, and there is no terminal.
 */
export function createCli(ports: {
  count: ResourceCount;
  io: WasiIo;
  /** called when the guest takes something of standard input */
  onInput(): void;
  maxStdoutBytes: number;
  maxStderrBytes: number;
}): WasiCli {
  const { io, count } = ports;
  let args: readonly string[] = [];
  let stdin: Uint8Array = new Uint8Array();
  let exitCode: number | undefined;
  let overflow: string | undefined;
  const stdout = createOutputBuffer(ports.maxStdoutBytes);
  const stderr = createOutputBuffer(ports.maxStderrBytes);

  function exit(code: number): never {
    exitCode ??= code;
    throw new ExitError(exitCode);
  }

  const readStdin = (maxBytes: number): Uint8Array | undefined => {
    if (stdin.length === 0) return undefined;
    const bytes = stdin.slice(0, maxBytes);
    stdin = stdin.subarray(bytes.length);
    ports.onInput();
    return bytes;
  };
  const writeStdout = (bytes: Uint8Array): void => {
    if (stdout.add(bytes)) return;
    overflow = `standard output is above ${ports.maxStdoutBytes} bytes (limits.max-result-bytes)`;
    throw new StreamFault({ text: overflow, filesystem: 'quota' });
  };
  // For people; like a log it never fails, what is too much is dropped.
  const writeStderr = (bytes: Uint8Array): void => void stderr.add(bytes);

  const terminals = ['terminal-input', 'terminal-output'].map((name) =>
    defineResource({ name, count, methods: {} }),
  );
  const none = (): undefined => undefined;

  return {
    imports: {
      'wasi:cli/environment': {
        getEnvironment: () => [],
        getArguments: () => [...args],
        initialCwd: none,
      },
      'wasi:cli/exit': {
        exit: (status: unknown) => exit(isOk(status) ? 0 : 1),
        exitWithCode: (code: unknown) => exit(typeof code === 'number' ? code & 0xff : 1),
      },
      'wasi:cli/stdin': { getStdin: () => io.input({ read: readStdin }) },
      'wasi:cli/stdout': { getStdout: () => io.output({ write: writeStdout }) },
      'wasi:cli/stderr': { getStderr: () => io.output({ write: writeStderr }) },
      'wasi:cli/terminal-input': { TerminalInput: terminals[0]!.face },
      'wasi:cli/terminal-output': { TerminalOutput: terminals[1]!.face },
      'wasi:cli/terminal-stdin': { getTerminalStdin: none },
      'wasi:cli/terminal-stdout': { getTerminalStdout: none },
      'wasi:cli/terminal-stderr': { getTerminalStderr: none },
    },
    begin: (input) => {
      ({ args, stdin } = input);
    },
    hasExited: () => exitCode !== undefined,
    end: () => {
      const output = { stdout: stdout.take(), stderr: stderr.take(), exitCode, overflow };
      args = [];
      stdin = new Uint8Array();
      exitCode = undefined;
      overflow = undefined;
      return output;
    },
  };
}

/** A `result` as the glue lifts it. */
function isOk(status: unknown): boolean {
  return typeof status === 'object' && status !== null && 'tag' in status && status.tag === 'ok';
}
