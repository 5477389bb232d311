import { definePlugin, exec, fs, fsWrite, HostError, kv, log, ToolError, v } from '@cuervo/sdk';
import { expandGlob } from './expand-glob.ts';
import { type HostOutput, hostOutputs, toldOutput } from './host-output.ts';
import { LineError } from './line-error.ts';
import { output, shownOutput } from './output-tool.ts';
import { type LineState, parseLine } from './parse-line.ts';
import type { Plan } from './plan.ts';
import { resolveFolder } from './resolve-folder.ts';
import { type Ran, type RunPorts, runPlan } from './run-plan.ts';
import { readState, writeState } from './session-state.ts';
import { runTests } from './tests/run-tests.ts';

/** Entries that a pattern may have to look at, and files that it may stand for. */
const maxWalked = 20_000;
const maxExpanded = 1000;
/** Bytes of a file that `<` hands to a program. */
const maxInputBytes = 1024 * 1024;
/** What a shell says of a program that is missing. */
const notFoundExit = 127;
/** And of one that a signal ended. */
const killedExit = 128;

const command = v.pipe(
  v.string(),
  v.description('a command line, e.g. grep -rn TODO src | head -20'),
);
const folder = v.optional(
  v.pipe(v.string(), v.description('folder below the workspace; default the workspace')),
);

export default definePlugin({
  name: 'shell',
  version: '0.1.0',
  description: 'Runs command lines without a shell: each program by itself, under the rules.',
  licence: 'Apache-2.0',
  wants: [
    { capability: 'exec', why: 'runs the programs of a command line' },
    { capability: 'fs', why: 'finds the files that patterns stand for, and how tests are run' },
    { capability: 'fs-write', why: 'writes the files that output is redirected to' },
    { capability: 'kv', why: 'keeps folder and variables of a session, and long outputs' },
    { capability: 'log', why: 'tells which program runs' },
  ],
  tools: [
    {
      name: 'parse',
      description:
        'What a command line would start, without starting it: programs with their arguments, pipes, conditions and redirections. Says what of the line is not understood.',
      effect: 'pure',
      input: v.object({
        command,
        cwd: folder,
        variables: v.optional(
          v.pipe(v.record(v.string(), v.string()), v.description('variables that have a value')),
        ),
      }),
      examples: [{ command: 'cd src && grep -rn "a b" . | wc -l' }],
      run: ({ command: line, cwd, variables = {} }) => {
        const content = understood(() =>
          parseLine(line, {
            variables: new Map(Object.entries(variables)),
            cwd: resolveCwd(cwd ?? ''),
          }),
        );
        return { content: { pipelines: content.pipelines }, summary: summaryOf(content) };
      },
    },
    {
      name: 'run',
      description:
        'Runs a command line in the workspace and gives exit code and output. Understands quotes, pipes, &&, ||, ;, redirections, patterns, variables that it sets, cd, here-documents and $(…); no loops or background. An exit code other than 0 is an answer. Use it for builds, tests and programs; to read, search or edit files the other tools are better.',
      effect: 'external',
      input: v.object({
        command,
        cwd: folder,
        session: v.optional(
          v.pipe(
            v.string(),
            v.regex(/^[\w.-]{1,64}$/, 'is not a name of letters, digits and . _ -'),
            v.description('lines of one name go on with its folder and variables'),
          ),
        ),
      }),
      examples: [{ command: 'npm test' }, { command: 'git log --oneline | head -5', cwd: 'src' }],
      run: ({ command: line, cwd, session }) => {
        const kept: LineState =
          session === undefined ? { cwd: '', variables: new Map() } : readState(kv, session);
        const start = cwd === undefined ? kept : { ...kept, cwd: resolveCwd(cwd) };
        const wholes = new Map<string, string>();
        const outcome = understood(() =>
          runPlan(parseLine(line, start), start, { ...ports, exec: execKeeping(wholes) }),
        );
        if (session !== undefined) writeState(kv, session, outcome.after);
        const { exitCode } = outcome;
        const stdout = shownOutput(outcome.stdout, { whole: wholes.get(outcome.stdout) });
        const stderr = shownOutput(outcome.stderr, { whole: wholes.get(outcome.stderr) });
        const notKept = stdout.notKept ?? stderr.notKept;
        const content = {
          exitCode,
          stdout: stdout.text,
          stderr: stderr.text,
          ...(stdout.kept === undefined ? {} : { kept: stdout.kept }),
          ...(stderr.kept === undefined ? {} : { keptErrors: stderr.kept }),
          ...(notKept === undefined ? {} : { notKept }),
          cwd: outcome.after.cwd === '' ? '.' : outcome.after.cwd,
        };
        return { content, summary: `exit code ${exitCode}` };
      },
    },
    runTests,
    output,
  ],
});

/** Characters from which on the host may have kept an output. */
const maybeKeptLength = 16_000;

/** @param wholes told under which id the host keeps a text that a program printed */
function execKeeping(wholes: Map<string, string>): RunPorts['exec'] {
  let known = 0;
  return ({ program, args, cwd, stdin }) => {
    const input = stdin === undefined ? {} : { stdin };
    try {
      const ran = exec.run({ program, args, cwd: `work:${cwd}`, ...input });
      const { stdout, stderr, truncated, signal, exitCode } = ran;
      const isLong = truncated || stdout.length + stderr.length > maybeKeptLength;
      const kept = isLong ? keptSince(known) : [];
      known += kept.length;
      for (const { stream, id } of kept) wholes.set(ran[stream], id);
      const ended = signal === undefined ? '' : `${program}: ended by ${signal}\n`;
      return {
        exitCode: exitCode ?? killedExit,
        ...{ stdout, stderr: stderr + ended, truncated },
        ...(kept.length === 0 ? {} : { whole: kept.map(toldOutput).join('; ') }),
      };
    } catch (thrown) {
      return notThere(program, thrown);
    }
  };
}

/** Outputs of this call, after the known ones. */
function keptSince(known: number): HostOutput[] {
  try {
    return hostOutputs(kv).slice(known);
  } catch (thrown) {
    // Without its own values the plugin shows what it has.
    if (thrown instanceof HostError) return [];
    throw thrown;
  }
}

const ports: Omit<RunPorts, 'exec'> = {
  expand: (glob, cwd) =>
    atMost(
      glob,
      expandGlob(glob, (below, depth, hidden) => listBelow(join(cwd, below), depth, hidden)),
    ),
  isFolder: (path) => isFolder(`work:${path}`),
  read: (path) => {
    const { text, truncated } = fs.readText(`work:${path}`, maxInputBytes);
    if (truncated) throw new ToolError('limit', `${path} is longer than ${maxInputBytes} bytes`);
    return text;
  },
  write: (path, text, append) => {
    if (!append) return fsWrite.writeText(`work:${path}`, text);
    const before = textIfPresent(`work:${path}`);
    fsWrite.writeText(`work:${path}`, (before?.text ?? '') + text, before?.hash);
  },
  progress: (label, done, total) => log.progress(label, done, total),
};

/** A program that is missing is an answer; what is denied ends the line. */
function notThere(program: string, thrown: unknown): Ran {
  if (!(thrown instanceof HostError) || thrown.code !== 'not-found') throw thrown;
  const stderr = `${program}: ${thrown.message}\n`;
  return { exitCode: notFoundExit, stdout: '', stderr, truncated: false };
}

function atMost(glob: string, found: string[]): string[] {
  if (found.length <= maxExpanded) return found;
  throw new ToolError('limit', `${glob} stands for ${found.length} files, limit ${maxExpanded}`);
}

function listBelow(folder: string, maxDepth: number, hidden: boolean) {
  try {
    const entries = fs.walk(`work:${folder}`, {
      ignoreFiles: false,
      hidden,
      maxDepth,
      limit: maxWalked,
    });
    if (entries.length === maxWalked) {
      throw new ToolError('limit', `a pattern would look at more than ${maxWalked} files`);
    }
    const start = folder === '' ? 'work:'.length : `work:${folder}/`.length;
    return entries.map(({ path, kind }) => ({
      path: path.slice(start),
      isFolder: kind === 'directory',
    }));
  } catch (thrown) {
    if (thrown instanceof HostError && thrown.code !== 'limit') return [];
    throw thrown;
  }
}

function isFolder(path: string): boolean {
  try {
    return fs.stat(path).kind === 'directory';
  } catch (thrown) {
    if (thrown instanceof HostError) return false;
    throw thrown;
  }
}

function textIfPresent(path: string): { text: string; hash: string } | undefined {
  try {
    const file = fs.readText(path, maxInputBytes);
    if (!file.truncated) return file;
  } catch (thrown) {
    if (thrown instanceof HostError && thrown.code === 'not-found') return undefined;
    throw thrown;
  }
  throw new ToolError('limit', `${path} is longer than ${maxInputBytes} bytes`);
}

function join(folder: string, path: string): string {
  return folder === '' || path === '' ? folder + path : `${folder}/${path}`;
}

/** `work:src`, `src` and `./src` are one folder. */
function resolveCwd(cwd: string): string {
  return understood(() => resolveFolder('', cwd.replace(/^work:/, '')));
}

/** The caller has to fix a wrong line. */
function understood<Value>(parse: () => Value): Value {
  try {
    return parse();
  } catch (thrown) {
    if (thrown instanceof LineError) throw new ToolError('invalid-input', thrown.message);
    throw thrown;
  }
}

function summaryOf({ pipelines }: Plan): string {
  const names = pipelines
    .flatMap(({ commands }) => commands)
    .map((each) => (each.kind === 'program' ? each.program : each.kind));
  return names.length === 0 ? 'no command' : names.join(', ');
}
