import { LineError } from './line-error.ts';
import type { LineState } from './parse-line.ts';
import type { Plan, PlannedCommand, Redirect } from './plan.ts';

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
  const programs = plan.pipelines
    .flatMap(({ commands }) => commands)
    .filter((each): each is Program => each.kind === 'program');
  for (const { unknown, redirects, cwd } of programs) {
    if (unknown !== undefined) throw new LineError(unknown);
    for (const redirect of redirects) checkTarget(redirect, cwd);
  }
  const variables = new Map(start.variables);
  let { cwd } = start;
  let exitCode = 0;
  const out = { stdout: '', stderr: '' };
  for (const [at, { when, commands }] of plan.pipelines.entries()) {
    if (when !== 'always' && (when === 'success') !== (exitCode === 0)) continue;
    const [first] = commands;
    if (first?.kind === 'set') {
      for (const [name, value] of Object.entries(first.variables)) variables.set(name, value);
      exitCode = 0;
      continue;
    }
    if (first?.kind === 'cd') {
      if (!ports.isFolder(first.folder)) {
        // What follows was judged for that folder, and must not run in another one.
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
    exitCode = runPipe(piped, ports, out);
  }
  return { exitCode, ...out, after: { variables, cwd } };
}

function runPipe(
  piped: readonly Program[],
  ports: RunPorts,
  out: { stdout: string; stderr: string },
): number {
  let stdin: string | undefined;
  let exitCode = 0;
  for (const [at, command] of piped.entries()) {
    const { program, cwd, redirects } = command;
    const args = command.args.flatMap((arg, index) => {
      const glob = command.patterns.find((pattern) => pattern.arg === index)?.glob;
      const found = glob === undefined ? [] : ports.expand(glob, cwd);
      return found.length === 0 ? [arg] : found;
    });
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
