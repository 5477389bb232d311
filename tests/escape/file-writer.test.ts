import { spawn } from 'node:child_process';
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'vitest';
import { sha256 } from '../../src/lib/sha256.ts';
import { buildGuest } from './support/build-guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { answered, expectAllRefused, outcomesOf } from './support/outcomes.ts';
import { clear, expectFailure, expectSuccess, put, usePlace } from './support/place.ts';

const place = usePlace({
  fill: async (made) => {
    const { work, outside } = made;
    put(work, 'sub/file.txt', made.inside);
    symlinkSync(join(outside, 'secret.txt'), join(work, 'to-file'));
    symlinkSync('../outside/new.txt', join(work, 'to-nothing'));
    symlinkSync(outside, join(work, 'to-folder'));
    symlinkSync('..', join(work, 'to-parent'));
    symlinkSync('sub', join(work, 'inside-folder'));
    linkSync(join(outside, 'secret.txt'), join(work, 'hard-link'));
    await made.install(await buildGuest('file-writer'));
  },
});

type Call = {
  call: 'text' | 'bytes' | 'dir' | 'rename' | 'remove';
  path: string;
  to?: string;
  text?: string;
  length?: number;
  hash?: string;
};

const granted = { allow: ['fs-write:work'] };
const make = (call: Call, options = granted) => place.run('file-writer.make', call, options);
const tryAll = async (calls: readonly Call[], times = 1) =>
  outcomesOf(place, await place.run('file-writer.try-all', { calls, times }, granted));
const read = (path: string): string => readFileSync(join(place.work, path), 'utf8');
/**
 * Names that a failed write would have left. Walked here, because `recursive` of Node goes through
 * links, and the one to the parent has no end.
 */
const partials = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return partials(join(folder, entry.name));
    return entry.name.endsWith('.part') ? [entry.name] : [];
  });

/** Every call that could change something at a path. */
const everyCall = (path: string, free: string): Call[] => [
  { call: 'text', path },
  { call: 'bytes', path },
  { call: 'rename', path, to: free },
  { call: 'rename', path: 'sub/file.txt', to: path },
  { call: 'remove', path },
];

escapeCase('write without grant', {
  denied: [
    [
      'nothing is written without a grant',
      async () => {
        const before = place.state();
        const ran = await make({ call: 'text', path: 'free.txt' }, { allow: [] });
        expectFailure(place, ran, {
          code: 'permission-denied',
          exit: 3,
          says: /not granted fs-write/,
        });
        expect(place.state()).toBe(before);
      },
    ],
    [
      'leave to read is no leave to write',
      async () => {
        const before = place.state();
        const ran = await make({ call: 'remove', path: 'inside.txt' }, { allow: ['fs:work'] });
        expectFailure(place, ran, { code: 'permission-denied', exit: 3 });
        expect(place.state()).toBe(before);
      },
    ],
    [
      'a tool that promised to read writes nothing',
      async () => {
        const before = place.state();
        const input = { call: 'text', path: 'lie.txt' };
        const ran = await place.run('file-writer.liar', input, granted);
        expectFailure(place, ran, { code: 'permission-denied', exit: 3, says: /effect "read"/ });
        expect(place.state()).toBe(before);
      },
    ],
    [
      'no other root, no absolute path, no parent',
      async () => {
        const before = place.state();
        const paths = ['other:a.txt', '/tmp/a.txt', '../a.txt', 'sub/../../a.txt', 'work:', ''];
        const calls = paths.flatMap((path) => everyCall(path, 'free.txt'));
        expectAllRefused(await tryAll(calls), ['denied', 'invalid']);
        expect(place.state()).toBe(before);
      },
    ],
  ],
  control: [
    'with the grant a file is made, replaced, renamed and removed',
    async () => {
      expectSuccess(await make({ call: 'dir', path: 'made/deep' }));
      expectSuccess(await make({ call: 'text', path: 'made/deep/a.txt', text: 'one' }));
      expect(read('made/deep/a.txt')).toBe('one');
      expect(statSync(join(place.work, 'made/deep/a.txt')).mode & 0o777).toBe(0o644);
      expectSuccess(await make({ call: 'bytes', path: 'made/deep/a.txt', length: 3 }));
      expect(read('made/deep/a.txt')).toBe('\u0007\u0007\u0007');
      expectSuccess(await make({ call: 'rename', path: 'made/deep/a.txt', to: 'made/b.txt' }));
      expectSuccess(await make({ call: 'remove', path: 'made/deep' }));
      expect(readdirSync(join(place.work, 'made'))).toEqual(['b.txt']);
      const database = new Database(join(place.home, 'cuervo.db'), { readonly: true });
      const rows = database
        .prepare('SELECT run, step, kind, path, before_hash FROM file_changes ORDER BY seq')
        .all() as { run: string; step: string; kind: string; before_hash: string | null }[];
      database.close();
      expect(rows.map(({ kind }) => kind)).toEqual([
        ...['create', 'create', 'create', 'write', 'rename', 'remove'],
      ]);
      expect(rows.every(({ run, step }) => run !== '' && step === 's1')).toBe(true);
      // What was replaced can be had back, by nobody but its owner.
      const blob = join(place.home, 'blobs', sha256('one'));
      expect(rows[3]?.before_hash).toBe(sha256('one'));
      expect(readFileSync(blob, 'utf8')).toBe('one');
      expect(statSync(blob).mode & 0o777).toBe(0o600);
    },
  ],
});

escapeCase('write through a link', {
  denied: [
    [
      'through a folder that is a link nothing comes to be outside',
      async () => {
        const before = place.state();
        const ran = await make({ call: 'text', path: 'to-folder/new.txt' });
        expect(existsSync(join(place.outside, 'new.txt'))).toBe(false);
        expectFailure(place, ran, { code: 'permission-denied', exit: 3, says: /link/ });
        expect(place.state()).toBe(before);
      },
    ],
    [
      'to a file, to nothing, in the middle, staying inside, by every call',
      async () => {
        const before = place.state();
        const paths = [
          ...['to-file', 'to-nothing', 'to-folder', 'to-folder/secret.txt', 'to-parent/outside/x'],
          ...['inside-folder/file.txt', 'inside-folder'],
        ];
        const calls = paths.flatMap((path) => everyCall(path, 'free.txt'));
        calls.push({ call: 'dir', path: 'to-folder/made' }, { call: 'dir', path: 'to-nothing/x' });
        expectAllRefused(await tryAll(calls), ['denied']);
        expect(place.state()).toBe(before);
      },
    ],
    [
      'a link that is swapped in while a thousand files are written',
      async () => {
        put(place.outside, 'swapped/keep.txt', 'outside');
        clear(place.work, 'swap', 'swap-link');
        mkdirSync(join(place.work, 'swap'));
        symlinkSync(join(place.outside, 'swapped'), join(place.work, 'swap-link'));
        const names = ['swap', 'swap-link'].map((name) => join(place.work, name));
        const script = resolve(import.meta.dirname, 'support/swap-links.ts');
        const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit'];
        const child = spawn(process.execPath, [script, ...names], { stdio });
        let outcomes: Awaited<ReturnType<typeof tryAll>>;
        try {
          await new Promise((ready) => child.stdout.once('data', ready));
          const calls: Call[] = [
            { call: 'text', path: 'swap/keep.txt' },
            { call: 'rename', path: 'swap/keep.txt', to: 'swap/moved.txt' },
            { call: 'remove', path: 'swap/moved.txt' },
          ];
          outcomes = await tryAll(calls, 300);
        } finally {
          child.kill('SIGKILL');
        }
        expect(readdirSync(join(place.outside, 'swapped'))).toEqual(['keep.txt']);
        expect(readFileSync(join(place.outside, 'swapped/keep.txt'), 'utf8')).toBe('outside');
        // Both sides of the race were seen.
        expect(answered(outcomes).length).toBeGreaterThan(0);
        expect(outcomes.some((outcome) => !outcome.ok && outcome.code === 'denied')).toBe(true);
      },
    ],
    [
      'the second name of a file outside leaves that file as it is',
      async () => {
        expectSuccess(await make({ call: 'text', path: 'hard-link' }));
        expect(readFileSync(join(place.outside, 'secret.txt'), 'utf8')).toBe(`${place.secret}\n`);
      },
    ],
  ],
  control: [
    'in a folder that is one a file is written',
    async () => {
      expectSuccess(await make({ call: 'text', path: 'sub/new.txt', text: 'new' }));
      expect(read('sub/new.txt')).toBe('new');
      expect(partials(place.work)).toEqual([]);
    },
  ],
});

escapeCase('write of protected names', {
  denied: [
    [
      'a hook of git is not planted',
      async () => {
        mkdirSync(join(place.work, '.git/hooks'), { recursive: true });
        const ran = await make({ call: 'text', path: '.git/hooks/pre-commit' });
        expect(existsSync(join(place.work, '.git/hooks/pre-commit'))).toBe(false);
        expectFailure(place, ran, { code: 'permission-denied', exit: 3, says: /protected file/ });
      },
    ],
    [
      'every name and spelling, present or not, by every call, and all of .git',
      async () => {
        for (const name of ['.env', 'tls.key', '.git/HEAD', 'vendored/.git/index'])
          put(place.work, name, 'kept');
        const before = place.state();
        const names = [
          ...['.env', '.env.new', 'tls.key', 'id_rsa', '.npmrc', '.bashrc', '.ENV', '．env'],
          ...['.cuervo/grants.toml', '.git', '.git/HEAD', '.git/new', '.GIT/index', '.git./x'],
          ...['.git/refs/heads/main', 'vendored/.git/index', '.\u200bgit/x'],
        ];
        const calls = names.flatMap((path) => everyCall(path, 'free.txt'));
        calls.push(...names.map((path): Call => ({ call: 'dir', path })));
        expectAllRefused(await tryAll(calls), ['denied']);
        expect(place.state()).toBe(before);
      },
    ],
    [
      'a folder that holds one is neither moved nor removed',
      async () => {
        put(place.work, 'holder/.env', 'kept');
        const calls: Call[] = [
          { call: 'rename', path: 'holder', to: 'elsewhere' },
          { call: 'remove', path: 'holder' },
          { call: 'remove', path: 'vendored' },
        ];
        expectAllRefused(await tryAll(calls), ['invalid', 'conflict']);
        expect(read('holder/.env')).toBe('kept');
      },
    ],
    [
      'CUERVO_HOME inside the workspace, by every call',
      async () => {
        const { home, run } = await nestedHome();
        const grants = put(home, 'grants.toml', '');
        const paths = ['grants.toml', 'new.txt', 'blobs/x', 'plugins.lock', 'cuervo.db'];
        const calls = paths
          .map((name) => `state/cuervo-home/${name}`)
          .concat('state/cuervo-home', 'state/CUERVO-home/x')
          .flatMap((path) => everyCall(path, 'free.txt'));
        calls.push({ call: 'dir', path: 'state/cuervo-home/made' });
        calls.push({ call: 'rename', path: 'state', to: 'other-state' });
        const outcomes = outcomesOf(place, await run('file-writer.try-all', { calls }));
        expectAllRefused(outcomes.slice(0, -1), ['denied']);
        expectAllRefused(outcomes.slice(-1), ['invalid']);
        expect(readFileSync(grants, 'utf8')).toBe('');
        // Control of its own: the same run may write beside it.
        const beside = { calls: [{ call: 'text', path: 'state/beside.txt' }] };
        const ran = outcomesOf(place, await run('file-writer.try-all', beside));
        expect(answered(ran)).toEqual(['text']);
      },
    ],
  ],
  control: [
    'names that only look alike are written',
    async () => {
      const names = ['env', 'keys.txt', '.github/x', '.gitignore', 'git/x', 'dot.git/x'];
      const calls = names.flatMap((path): Call[] => [
        ...(path.includes('/') ? [{ call: 'dir' as const, path: path.slice(0, -2) }] : []),
        { call: 'text', path },
      ]);
      expect(answered(await tryAll(calls))).toHaveLength(calls.length);
    },
  ],
});

escapeCase('write over what changed, what is not a file, and too much', {
  denied: [
    [
      'a file that is not what was read is a conflict, and stays',
      async () => {
        put(place.work, 'changed.txt', 'changed since');
        const hash = sha256('as it was read');
        const calls: Call[] = [
          { call: 'text', path: 'changed.txt', hash },
          { call: 'text', path: 'gone.txt', hash },
          { call: 'rename', path: 'inside.txt', to: 'changed.txt' },
        ];
        expectAllRefused(await tryAll(calls), ['conflict']);
        expect(read('changed.txt')).toBe('changed since');
        expect(existsSync(join(place.work, 'gone.txt'))).toBe(false);
      },
    ],
    [
      'a folder is not replaced, a hash that is none is refused',
      async () => {
        const calls: Call[] = [
          { call: 'text', path: 'sub' },
          { call: 'text', path: 'sub/file.txt/x' },
          { call: 'dir', path: 'sub/file.txt' },
          { call: 'text', path: 'inside.txt', hash: 'abc' },
        ];
        expectAllRefused(await tryAll(calls), ['invalid']);
        expect(lstatSync(join(place.work, 'sub')).isDirectory()).toBe(true);
      },
    ],
    [
      'a byte above 4 MiB, and 50 MiB in one call, are limits',
      async () => {
        const length = 4 * 1024 * 1024;
        const ran = await make({ call: 'bytes', path: 'big.bin', length: length + 1 });
        expectFailure(place, ran, { code: 'resource-exhausted', exit: 5, says: /limit 4194304/ });
        expect(existsSync(join(place.work, 'big.bin'))).toBe(false);
        const outcomes = await tryAll([{ call: 'bytes', path: 'many.bin', length }], 13);
        expect(outcomes.map((outcome) => outcome.ok)).toEqual([...Array(12).fill(true), false]);
        expectAllRefused(outcomes.slice(-1), ['limit']);
        expect(statSync(join(place.work, 'many.bin')).size).toBe(length);
        expect(partials(place.work)).toEqual([]);
      },
    ],
  ],
  control: [
    'a file that is what was read is replaced, and keeps its mode',
    async () => {
      put(place.work, 'same.txt', 'as it was read');
      const hash = sha256('as it was read');
      expectSuccess(await make({ call: 'text', path: 'same.txt', text: 'new', hash }));
      expect(read('same.txt')).toBe('new');
      const length = 4 * 1024 * 1024;
      expectSuccess(await make({ call: 'text', path: 'large.txt', length }));
      expect(statSync(join(place.work, 'large.txt')).size).toBe(length);
    },
  ],
});

/** A home below the workspace, whose name is on no list. */
async function nestedHome() {
  const home = join(place.work, 'state', 'cuervo-home');
  mkdirSync(join(place.work, 'state'), { recursive: true });
  const file = await buildGuest('file-writer');
  const installed = await place.cuervo(['plugin', 'install', file, '--yes'], { home });
  expect(installed.exitCode).toBe(0);
  const flags = ['--json', '--allow', 'fs-write:work', '--workspace', place.work];
  const run = (tool: string, input: unknown) =>
    place.cuervo(['run', tool, JSON.stringify(input), ...flags], { home });
  return { home, run };
}
