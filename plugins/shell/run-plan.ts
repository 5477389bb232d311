import { expandWord, type Field } from './expand-word.ts';
import { LineError } from './line-error.ts';
import type { LineState } from './parse-line.ts';
import type { LatePart, Pipeline, Plan, PlannedCommand, Redirect } from './plan.ts';
import type { WordPart } from './read-tokens.ts';

type Program = Extract<PlannedCommand, { kind: 'program' }>;

/** One program that has run. */
export type Ran = {
  exitCode: number;
  stdout: string;
  stderr: string;
  truncated: boolean;
  /** what says where all of a truncated output is kept */
  whole?: string;
};

export type RunPorts = {
  /** @param cwd folder below the workspace */
  exec(command: { program: string; args: string[]; cwd: string; stdin: string | undefined }): Ran;
  /** files that a pattern stands for, from a folder below the workspace; may be none */
  expand(glob: string, cwd: string): string[];
  isFolder(folder: string): boolean;
  /** @param path below the workspace */
  read(path: string): string;
  write(path: string, text: string, append: boolean): void;
  /** told before each pipeline */
  progress(label: string, done: number, total: number): void;
};

export type LineOutcome = {
  /** of the last program that ran; 0 when none did */
  exitCode: number;
  stdout: string;
  stderr: string;
  /** a program printed more than is there */
  truncated: boolean;
  /** what the next line of the session goes on with */
  after: LineState;
};

const nowhere = '/dev/null';

/**
 * Follows a plan. Programs of a pipe run one after the other, each with the whole output of the one
 * before it.
 *
 * @throws {LineError} before anything runs, when a part of the line cannot run
 */
export function runPlan(plan: Plan, start: LineState, ports: RunPorts): LineOutcome {
  for (const { unknown, redirects, cwd } of programsOf(plan.pipelines)) {
    if (unknown !== undefined) throw new LineError(unknown);
    for (const redirect of redirects) checkTarget(redirect, cwd);
  }
  return follow(plan, start, ports);
}

function follow(plan: Plan, start: LineState, ports: RunPorts): LineOutcome {
  const variables = new Map(start.variables);
  let { cwd } = start;
  let exitCode = 0;
  const out = { stdout: '', stderr: '', truncated: false };
  for (const [at, { when, commands }] of plan.pipelines.entries()) {
    if (when !== 'always' && (when === 'success') !== (exitCode === 0)) continue;
    const [first] = commands;
    if (first?.kind === 'set') {
      for (const [name, value] of Object.entries(first.variables)) variables.set(name, value);
      exitCode = 0;
      for (const { name, parts } of first.late ?? []) {
        const put = putTogether(parts, variables, ports, out);
        // Nothing is split in an assignment.
        const quoted = put.parts.map((part) => ({ ...part, quoted: true }));
        variables.set(name, expandWord(quoted, put.values)[0]?.text ?? '');
        exitCode = put.exitCode;
      }
      continue;
    }
    if (first?.kind === 'cd') {
      if (!ports.isFolder(first.folder)) {
        // The rest was judged for that folder and must not run in another.
        out.stderr += `cd: ${first.folder} is not a folder; the line ends here\n`;
        exitCode = 1;
        break;
      }
      cwd = first.folder;
      exitCode = 0;
      continue;
    }
    const piped = commands.filter((each): each is Program => each.kind === 'program');
    ports.progress(piped.map(({ program }) => program).join(' | '), at, plan.pipelines.length);
    exitCode = runPipe(piped, variables, ports, out);
  }
  return { exitCode, ...out, after: { variables, cwd } };
}

/** All of a line, those of its substitutions too. */
function programsOf(pipelines: readonly Pipeline[]): Program[] {
  return pipelines
    .flatMap(({ commands }) => commands)
    .flatMap((command) => {
      const parts = command.kind === 'cd' ? [] : (command.late ?? []).flatMap((each) => each.parts);
      const inner = parts.flatMap((part) =>
        'pipelines' in part ? programsOf(part.pipelines) : [],
      );
      return command.kind === 'program' ? [...inner, command] : inner;
    });
}

/** Runs what a word waits for; its stretches then are text and variables that have a value. */
function putTogether(
  parts: readonly LatePart[],
  variables: ReadonlyMap<string, string>,
  ports: RunPorts,
  out: { stderr: string },
): { parts: WordPart[]; values: Map<string, string>; exitCode: number } {
  const values = new Map<string, string>();
  let exitCode = 0;
  const put = parts.map((part, index): WordPart => {
    const { quoted } = part;
    if ('text' in part) return { kind: 'text', text: part.text, quoted };
    const name = `late ${index}`;
    if ('variable' in part) values.set(name, variables.get(part.variable) ?? '');
    else {
      const ran = follow({ pipelines: part.pipelines }, { variables, cwd: '' }, ports);
      if (ran.truncated) throw new LineError('a program in $(…) printed more than a line holds');
      out.stderr += ran.stderr;
      ({ exitCode } = ran);
      values.set(name, ran.stdout.replace(/\n+$/, ''));
    }
    return { kind: 'variable', name, quoted };
  });
  return { parts: put, values, exitCode };
}

/** The arguments as the program gets them: patterns and what was not known before filled in. */
function argumentsOf(
  command: Program,
  variables: ReadonlyMap<string, string>,
  ports: RunPorts,
  out: { stderr: string },
): string[] {
  const filesOf = (text: string, glob: string | undefined): string[] => {
    const found = glob === undefined ? [] : ports.expand(glob, command.cwd);
    return found.length === 0 ? [text] : found;
  };
  return command.args.flatMap((arg, index) => {
    const late = command.late?.find((each) => each.arg === index)?.parts;
    if (late !== undefined) {
      const { parts, values } = putTogether(late, variables, ports, out);
      return expandWord(parts, values).flatMap(({ text, glob }: Field) => filesOf(text, glob));
    }
    return filesOf(arg, command.patterns.find((pattern) => pattern.arg === index)?.glob);
  });
}

function runPipe(
  piped: readonly Program[],
  variables: ReadonlyMap<string, string>,
  ports: RunPorts,
  out: { stdout: string; stderr: string; truncated: boolean },
): number {
  let stdin: string | undefined;
  let exitCode = 0;
  for (const [at, command] of piped.entries()) {
    const { program, cwd, redirects } = command;
    const args = argumentsOf(command, variables, ports, out);
    for (const redirect of redirects) {
      if ('from' in redirect) stdin = readInput(redirect.from, cwd, ports);
      if ('text' in redirect) stdin = redirect.text;
    }
    const ran = ports.exec({ program, args, cwd, stdin });
    ({ exitCode } = ran);
    const isLast = at === piped.length - 1;
    if (ran.truncated && !isLast) {
      throw new LineError(`${program} | … : the output of ${program} is more than a pipe holds`);
    }
    const passed = deliver(ran, redirects, cwd, ports, out);
    if (isLast) out.stdout += passed;
    else stdin = passed;
    if (ran.truncated && isLast) out.truncated = true;
    if (ran.truncated && isLast)
      out.stderr += `${program}: ${ran.whole ?? 'more output was not kept'}\n`;
  }
  return exitCode;
}

/** Where each output goes, and what of them goes on as standard output. */
function deliver(
  ran: Ran,
  redirects: readonly Redirect[],
  cwd: string,
  ports: RunPorts,
  out: { stderr: string },
): string {
  type File = { path: string; append: boolean; text: string };
  type Sink = 'stdout' | 'stderr' | File;
  const files: File[] = [];
  let sinks: { 1: Sink; 2: Sink } = { 1: 'stdout', 2: 'stderr' };
  for (const redirect of redirects) {
    if ('from' in redirect || 'text' in redirect) continue;
    if ('like' in redirect) {
      sinks = { ...sinks, [redirect.fd]: sinks[redirect.like] };
      continue;
    }
    const file = { path: redirect.to, append: redirect.append, text: '' };
    files.push(file);
    if (redirect.fd === 'both') sinks = { 1: file, 2: file };
    else sinks = { ...sinks, [redirect.fd]: file };
  }
  let stdout = '';
  for (const [sink, text] of [
    [sinks[1], ran.stdout],
    [sinks[2], ran.stderr],
  ] as const) {
    if (sink === 'stdout') stdout += text;
    else if (sink === 'stderr') out.stderr += text;
    else sink.text += text;
  }
  for (const { path, append, text } of files) {
    if (path !== nowhere) ports.write(filePath(path, cwd), text, append);
  }
  return stdout;
}

function readInput(path: string, cwd: string, ports: RunPorts): string {
  return path === nowhere ? '' : ports.read(filePath(path, cwd));
}

function checkTarget(redirect: Redirect, cwd: string): void {
  const path = 'to' in redirect ? redirect.to : 'from' in redirect ? redirect.from : nowhere;
  if (path !== nowhere) filePath(path, cwd);
}

/**
 * A file of a redirection, below the workspace.
 *
 * @throws {LineError} when it is not
 */
function filePath(path: string, cwd: string): string {
  const segments = cwd === '' ? [] : cwd.split('/');
  if (path.startsWith('/')) throw new LineError(`${path} is outside the workspace`);
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) {
      throw new LineError(`${path} is outside the workspace`);
    }
  }
  return segments.join('/');
}
