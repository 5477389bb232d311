import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from '../../support/run-cuervo.ts';
import { leaseSeconds } from './open-fleet.ts';

export type Ended = { code: number | null; signal: string | null; stdout: string; stderr: string };
export type Row = Record<string, unknown>;
export type Started = { child: ChildProcess; ended: Promise<Ended> };

/** Homes of some workers and of a person, who comes last. The caller owns it. */
export type Team = Disposable & {
  /** also the home directory of all of them */
  dir: string;
  home(at: number): string;
  environment(at: number): Record<string, string>;
  start(at: number, program: string, args: readonly string[], stdin?: string): Started;
  cuervo(at: number, args: readonly string[], stdin?: string): Promise<Ended>;
  /** a worker that ends when no job is left */
  work(at: number): Started;
};

/** @param options.worker lines of `[fleet]` of each worker, and sections behind it */
export function openTeam(
  address: string,
  options: { workers: number; worker(dir: string): readonly string[] },
): Team {
  const { workers } = options;
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'cuervo-team-')));
  const home = (at: number): string => join(dir, `home-${at}`);
  for (let at = 0; at <= workers; at += 1) {
    mkdirSync(home(at), { recursive: true, mode: 0o700 });
    const settings = [`database = "${address}"`, `lease-seconds = ${leaseSeconds}`];
    const more = at === workers ? [] : options.worker(dir);
    writeFileSync(join(home(at), 'config.toml'), ['[fleet]', ...settings, ...more, ''].join('\n'));
  }
  const environment = (at: number) => ({
    PATH: `${join(root, 'node_modules/.bin')}:${dirname(process.execPath)}:${process.env.PATH}`,
    CUERVO_HOME: home(at),
    XDG_CACHE_HOME: join(dir, `cache-${at}`),
    HOME: dir,
  });
  const start = (at: number, program: string, args: readonly string[], stdin?: string): Started => {
    const child = spawn(program, args, { cwd: dir, env: environment(at) });
    child.stdin.end(stdin);
    return { child, ended: endOf(child) };
  };
  const cli = join(root, 'dist/cuervo.cjs');
  return {
    ...{ dir, home, environment, start },
    cuervo: async (at, args, stdin) =>
      await start(at, process.execPath, [cli, ...args], stdin).ended,
    work: (at) => start(at, process.execPath, [cli, 'worker', '--until-empty', '--json']),
    [Symbol.dispose]: () => rmSync(dir, { recursive: true, force: true }),
  };
}

export function rowsOf({ stdout }: Ended): Row[] {
  return stdout
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);
}

export async function endOf(child: ChildProcess): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString('utf8');
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8');
  });
  return await new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', (code, signal) => done({ code, signal, stdout, stderr }));
  });
}
