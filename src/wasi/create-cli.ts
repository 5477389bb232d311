import { createOutputBuffer, StreamFault, type WasiIo } from './io/create-io.ts';
import { defineResource, ExitError, type ResourceCount } from './resource.ts';
import type { GuestStreams } from './three/guest-streams.ts';

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
  streams: GuestStreams;
  /** called when the guest takes something of standard input */
  onInput(): void;
  maxStdoutBytes: number;
  maxStderrBytes: number;
}): WasiCli {
  const { io, count, streams } = ports;
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

  const exits = {
    exit: (status: unknown) => exit(isOk(status) ? 0 : 1),
    exitWithCode: (code: unknown) => exit(typeof code === 'number' ? code & 0xff : 1),
  };
  const environment = { getEnvironment: () => [], getArguments: () => [...args] };
  const ofTerminals = {
    'cli/terminal-input': { TerminalInput: terminals[0]!.face },
    'cli/terminal-output': { TerminalOutput: terminals[1]!.face },
    'cli/terminal-stdin': { getTerminalStdin: none },
    'cli/terminal-stdout': { getTerminalStdout: none },
    'cli/terminal-stderr': { getTerminalStderr: none },
  };
  const failed = (): string => 'io';
  const written = (write: (bytes: Uint8Array) => void) => (stream: unknown) =>
    streams.writing(stream, { write }, failed);

  return {
    imports: {
      ...inBoth({ 'cli/exit': exits, ...ofTerminals }),
      'wasi:cli/environment': { ...environment, initialCwd: none },
      'wasi3:cli/environment': { ...environment, getInitialCwd: none },
      'wasi:cli/stdin': { getStdin: () => io.input({ read: readStdin }) },
      'wasi:cli/stdout': { getStdout: () => io.output({ write: writeStdout }) },
      'wasi:cli/stderr': { getStderr: () => io.output({ write: writeStderr }) },
      'wasi3:cli/types': {},
      'wasi3:cli/stdin': { readViaStream: () => streams.reading({ read: readStdin }, failed) },
      'wasi3:cli/stdout': { writeViaStream: written(writeStdout) },
      'wasi3:cli/stderr': { writeViaStream: written(writeStderr) },
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

/** Interfaces that are the same in 0.2 and 0.3. */
export function inBoth(interfaces: Record<string, object>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(interfaces).flatMap(([name, served]) => [
      [`wasi:${name}`, served],
      [`wasi3:${name}`, served],
    ]),
  );
}
