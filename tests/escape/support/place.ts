import { createHash, randomBytes } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { openPlace, type Place as PlainPlace } from '../../support/place.ts';
import type { Ran, RunOptions } from '../../support/run-cuervo.ts';
import { root } from './paths.ts';

/** What one test file plays on: a place, and a folder beside its workspace with a secret. */
export type Place = PlainPlace & {
  outside: string;
  /** content of `outside/secret.txt`; occurs nowhere else */
  secret: string;
  /** content of `work/inside.txt` */
  inside: string;
  run(tool: string, input: unknown, options?: PlaceRunOptions): Promise<Ran>;
  install(file: string, grants?: readonly string[]): Promise<void>;
  /** digest of every file, link and mode of workspace, outside and the installed plugins */
  state(): string;
};

export type PlaceRunOptions = {
  /** default `fs:work` */
  allow?: readonly string[];
  args?: readonly string[];
  workspace?: string;
  /** besides PATH and CUERVO_HOME */
  env?: Record<string, string>;
  onStart?(pid: number): void;
  giveUpMs?: number;
};

/**
 * A place for the tests of one file, removed after them.
 *
 * @param options.config text of `config.toml`
 * @param options.fill makes what the tests need, before any of them
 */
export function usePlace(options: {
  config?: string;
  fill?(place: Place): Promise<void> | void;
}): Place {
  const place = {} as Place;
  beforeAll(async () => {
    Object.assign(place, openGuarded());
    if (options.config !== undefined)
      writeFileSync(join(place.home, 'config.toml'), options.config);
    await options.fill?.(place);
  });
  afterAll(() => place[Symbol.dispose]?.());
  return place;
}

function openGuarded(): Place {
  const secret = `outside-${randomBytes(12).toString('hex')}`;
  const inside = `inside-${randomBytes(12).toString('hex')}`;
  const opened = openPlace({ 'inside.txt': `${inside}\n` });
  const { dir, work, home } = opened;
  const outside = join(dir, 'outside');
  mkdirSync(outside);
  mkdirSync(join(home, 'plugins'), { recursive: true });
  writeFileSync(join(outside, 'secret.txt'), `${secret}\n`);

  const cuervo: Place['cuervo'] = (args, more = {}) =>
    opened.cuervo(args, { cwd: dir, ...guestRun, ownProcess: 'giveUpMs' in more, ...more });
  return {
    ...opened,
    outside,
    secret,
    inside,
    cuervo,
    run: (tool, input, { allow = ['fs:work'], args = [], workspace = work, ...more } = {}) =>
      cuervo(
        [
          ...['run', tool, JSON.stringify(input), '--json', '--workspace', workspace],
          ...allow.flatMap((grant) => ['--allow', grant]),
          ...args,
        ],
        more,
      ),
    install: async (file, grants = []) => {
      const flags = grants.flatMap((grant) => ['--grant', grant]);
      const ran = await cuervo(['plugin', 'install', file, '--replace', '--yes', ...flags]);
      expect(ran.stderr).not.toContain('error:');
      expect(ran.exitCode).toBe(0);
    },
    state: () => stateOf([work, outside, join(home, 'plugins')], [join(home, 'plugins.lock')]),
  };
}

/** Giving up ends the plugin processes, too. Some cases start another script, with its own lines. */
export const guestRun = {
  stdin: '',
  detached: true,
  giveUpMs: 50_000,
  unchecked: true,
} satisfies Partial<RunOptions>;

/** Creates the folders on the way. */
export function put(folder: string, path: string, content: string | Uint8Array = ''): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

/** Makes room for what a test puts there, also when it is tried again. */
export function clear(folder: string, ...paths: readonly string[]): void {
  for (const path of paths) rmSync(join(folder, path), { recursive: true, force: true });
}

function stateOf(folders: readonly string[], files: readonly string[]): string {
  const hash = createHash('sha256');
  const add = (path: string): void => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return;
    hash.update(`${path}\0${stats.mode}\0`);
    // A folder's own time tells of what came and went in it, like the one for preparing.
    if (!stats.isDirectory()) hash.update(`${stats.mtimeMs}\0${stats.size}\0`);
    if (stats.isSymbolicLink()) hash.update(readlinkSync(path));
    else if (stats.isDirectory()) {
      for (const name of readdirSync(path).sort()) add(join(path, name));
    } else if (stats.isFile() && stats.size < 1_000_000) hash.update(readFileSync(path));
  };
  for (const path of [...folders, ...files]) add(path);
  return hash.digest('hex');
}

/**
 * A call that failed the way the contract says, and told nothing of the host: no path of it,
 * and nothing of the file outside.
 */
export function expectFailure(
  place: Place,
  ran: Ran,
  expected: { code: string; exit: number; says?: RegExp },
): void {
  expect(ran.error, ran.stdout.slice(0, 2000) + ran.stderr.slice(0, 2000)).toBeDefined();
  const { code, message } = ran.error as { code: string; message: string };
  expect({ code, exit: ran.exitCode }).toEqual({ code: expected.code, exit: expected.exit });
  expect(ran.result).toBeUndefined();
  if (expected.says !== undefined) expect(message).toMatch(expected.says);
  expectNoHostPath(place, message);
  expectNoSecret(place, ran);
  const finished = ran.events.at(-1);
  expect(finished).toMatchObject({ type: 'run-finished', exitCode: expected.exit });
}

/**
 * `plugin install` that refuses: exit 6, a sentence, nothing kept. The next good file is then
 * still installed, which is the control of its own.
 */
export async function expectRefused(place: Place, file: string, says: RegExp): Promise<Ran> {
  const before = place.state();
  const ran = await place.cuervo(['plugin', 'install', file, '--replace', '--yes', '--json']);
  const text = `${says} ${ran.stdout.slice(0, 2000)}${ran.stderr.slice(0, 2000)}`;
  expect(ran.error, text).toBeDefined();
  expect({ code: ran.error?.code, exit: ran.exitCode }).toEqual({ code: 'plugin-fault', exit: 6 });
  // The file that the person named is in the sentence; nothing else of the host is.
  const message = ran.error?.message.replaceAll(file, '') ?? '';
  expect(message).toMatch(says);
  expectNoHostPath(place, message);
  expect(place.state()).toBe(before);
  return ran;
}

/** Installs a guest and runs its tool `go`: in one home one guest of a name after the other. */
export async function installAndGo(
  place: Place,
  file: string,
  plugin: string,
  options: PlaceRunOptions = {},
): Promise<Ran> {
  await place.install(file);
  return await place.run(`${plugin}.go`, {}, { allow: [], ...options });
}

/** A call that succeeded; returns its content as JSON where it is JSON. */
export function expectSuccess(ran: Ran): unknown {
  expect(ran.error).toBeUndefined();
  const content = contentOf(ran);
  // A program that failed is an answer, too.
  const ended = (content as { exitCode?: unknown } | null)?.exitCode ?? 0;
  expect(ran.exitCode).toBe(ended === 0 ? 0 : 1);
  return content;
}

function contentOf(ran: Ran): unknown {
  const { content } = ran.result as { content: string };
  try {
    return JSON.parse(content);
  } catch {
    return content;
  }
}

export function expectNoHostPath(place: Place, text: string): void {
  for (const path of [place.dir, root, '/proc/', '/home/', '/root/', 'node:internal', '.ts:']) {
    expect(text).not.toContain(path);
  }
}

export function expectNoSecret(place: Place, ran: Ran): void {
  expect(ran.stdout).not.toContain(place.secret);
  expect(ran.stderr).not.toContain(place.secret);
}
