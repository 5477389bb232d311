import * as host from 'cuervo:host/exec@0.1.0';
import { hostCall } from '../host-error.ts';
import { asNumber, asText, asTexts } from './argument.ts';

export type Command = {
  /** a name, as in `exec:git`; never a path */
  program: string;
  /** handed to the program as they are: no shell reads them */
  args?: readonly string[];
  /** `root:relative/path`; default the workspace */
  cwd?: string;
  /** closed where absent */
  stdin?: string;
  /** default and at most what is configured, as `exec.timeout-ms` */
  timeoutMs?: number;
  /** of both outputs together; default and at most `exec.max-output-bytes` */
  maxOutputBytes?: number;
};

export type Output = {
  /** absent when a signal ended it */
  exitCode?: number;
  /** e.g. `SIGXCPU` */
  signal?: string;
  stdout: string;
  stderr: string;
  /** there was more output than was kept */
  truncated: boolean;
  durationMs: number;
};

/** Runs a program to its end. An exit code other than 0 is an answer and no error. */
export function run(command: Command): Output {
  const { program, args = [], cwd = 'work:', stdin, timeoutMs = 0, maxOutputBytes = 0 } = command;
  const wanted: host.Command = {
    program: asText(program, 'exec.run: "program"'),
    args: asTexts(args, 'exec.run: "args"'),
    cwd: asText(cwd, 'exec.run: "cwd"'),
    ...(stdin == null ? {} : { stdin: asText(stdin, 'exec.run: "stdin"') }),
    timeoutMs: asNumber(timeoutMs, 'exec.run: "timeoutMs"'),
    maxOutputBytes: asNumber(maxOutputBytes, 'exec.run: "maxOutputBytes"'),
  };
  const output = hostCall(() => host.run(wanted));
  const { exitCode, signal, ...rest } = output;
  // An absent value arrives as null in some engines and as undefined in others.
  return {
    ...rest,
    ...(exitCode == null ? {} : { exitCode }),
    ...(signal == null ? {} : { signal }),
  };
}
