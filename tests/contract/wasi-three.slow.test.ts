import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPlace, type Place } from '../support/place.ts';
import { runMany } from '../support/run-many.ts';
import { buildCrate, hasRust } from './support/build-crate.ts';

/** What the WIT of WASI 0.3 says of each function, of a component by the crate `wasip3`. */
describe.skipIf(!hasRust())('WASI 0.3, by Rust (cargo, wasm32-wasip2)', () => {
  let place: Place;
  beforeAll(async () => {
    place = openPlace({ 'a.txt': 'alpha\n', 'sub/b.txt': 'b' });
    const file = join(place.dir, 'three.wasm');
    writeFileSync(file, buildCrate('wasi-three'));
    await place.cuervo(['plugin', 'install', file, '--yes']);
  });
  afterAll(() => place[Symbol.dispose]());

  const allowed = ['--allow', 'fs:work', '--allow', 'fs-write:work'];
  const run = async (tool: string, input: unknown, flags: readonly string[] = []) =>
    await place.cuervo(['run', `three.${tool}`, JSON.stringify(input), ...flags]);
  const value = async (tool: string, input: unknown, flags: readonly string[] = []) => {
    const { stdout, stderr } = await run(tool, input, flags);
    return stdout === '' ? stderr : JSON.parse(stdout);
  };

  it.each([
    ['add', { a: 1, b: 2 }, 3],
    ['arguments', {}, []],
    ['size', { bytes: 'AQIDBA==' }, 4],
    ['twice', { value: 21 }, 42],
    ['order', { ms: [30, 10, 20, 10] }, [10, 10, 20, 30]],
  ])('%s of %j gives %j', async (tool, input, expected) => {
    expect(await value(tool, input)).toEqual(expected);
  });

  it('gives the items of a stream and the value of a future', async () => {
    expect((await run('count', { to: 5 })).stdout).toBe('AAECAwQ=\n');
    expect((await run('count', { to: 0 })).stdout).toBe('\n');
    expect((await run('later', { value: 7 })).stdout).toBe('it was 7\n');
  });

  it('shows what was written to standard output, also what nobody waited for', async () => {
    expect((await run('say', { text: 'loud' })).stderr).toContain('three.say: loud');
    expect((await run('say-and-go', { text: 'gone' })).stderr).toContain('three.say-and-go: gone');
  });

  it('runs as a program: arguments, input, output and result', async () => {
    expect(await value('run', { args: ['a', 'b'], stdin: 'in' })).toMatchObject({
      stdout: 'a,b in',
      exitCode: 0,
    });
    expect(await value('run', { args: ['fail'] })).toMatchObject({ exitCode: 1 });
    expect((await run('exit', { code: 3 })).stderr).toContain('it ended itself with exit code 3');
  });

  it('sleeps in no time without clock, and really with it', async () => {
    expect(await value('sleep', { ms: 5000 })).toBeGreaterThanOrEqual(5000);
    expect(await value('sleep', { ms: 30 }, ['--allow', 'clock'])).toBeGreaterThanOrEqual(30);
  });

  it('draws the same bytes without random, and others with it', async () => {
    const draw = (flags: readonly string[]) => value('draw', {}, flags);
    expect(await draw([])).toEqual(await draw([]));
    const random = ['--allow', 'random'];
    expect(await draw(random)).not.toEqual(await draw(random));
  });

  it('reads, lists and looks below the root, and says what is missing', async () => {
    expect((await run('read', { path: 'a.txt' }, allowed)).stdout).toBe('alpha\n\n');
    expect(await value('entries', { path: 'sub' }, allowed)).toEqual(['b.txt']);
    expect(await value('stat', { path: 'a.txt' }, allowed)).toEqual([
      'DescriptorType::RegularFile',
      6,
    ]);
    expect(await value('stat', { path: 'sub' }, allowed)).toContain('DescriptorType::Directory');
    const none = await run('read', { path: 'none' }, allowed);
    expect(none.stderr).toContain('ErrorCode::NoEntry');
    const folder = await run('read', { path: 'sub' }, allowed);
    expect(folder.stderr).toContain('ErrorCode::IsDirectory');
  });

  it('writes, appends, renames and removes, and undo takes it back', async () => {
    await run('write', { path: 'new.txt', text: 'one' }, allowed);
    await run('append', { path: 'new.txt', text: ' two' }, allowed);
    expect(readFileSync(join(place.work, 'new.txt'), 'utf8')).toBe('one two');
    await place.cuervo(['undo', '--yes']);
    expect(readFileSync(join(place.work, 'new.txt'), 'utf8')).toBe('one');
    await run('rename', { old: 'new.txt', new: 'sub/c.txt' }, allowed);
    expect(await value('entries', { path: 'sub' }, allowed)).toEqual(['b.txt', 'c.txt']);
    await run('remove', { path: 'sub/c.txt', folder: false }, allowed);
    await run('make-folder', { path: 'deep' }, allowed);
    await run('remove', { path: 'deep', folder: true }, allowed);
    expect(existsSync(join(place.work, 'deep'))).toBe(false);
    expect((await run('remove', { path: 'sub', folder: true }, allowed)).stderr).toContain(
      'ErrorCode::NotEmpty',
    );
  });

  it('denies what is not granted, and what lies outside', async () => {
    const denied = await run('read', { path: 'a.txt' });
    expect(denied.exitCode).toBe(3);
    expect(denied.stderr).toContain('--allow fs:work');
    const readOnly = await run('write', { path: 'x', text: '' }, ['--allow', 'fs:work']);
    expect(readOnly.stderr).toContain('was not granted fs-write');
    writeFileSync(join(place.dir, 'outside.txt'), 'secret');
    symlinkSync('../outside.txt', join(place.work, 'link'));
    for (const path of ['../outside.txt', 'link', '/../outside.txt']) {
      const { stdout, exitCode } = await run('read', { path }, allowed);
      expect([stdout, exitCode, path]).toEqual(['', 3, path]);
    }
  });

  it('lets nothing of a call go on in the next ones', async () => {
    const tools = ['leave', 'sleep', 'say', 'read', 'order'].map((name) => `three.${name}`);
    const inputs = [
      { path: 'left.txt' },
      { ms: 200 },
      { text: 'still here' },
      { path: 'a.txt' },
      { ms: [2, 1] },
    ];
    const grants = ['fs:work', 'fs-write:work', 'clock'];
    const ended = await runMany(place, tools, inputs, grants);
    expect(ended.map(({ exit, message }) => [exit, message])).toEqual(
      inputs.map(() => [0, undefined]),
    );
    expect(ended[3]?.content).toBe('alpha\n');
    // What arrived before the end of its own call stays as it was then.
    const { length } = readFileSync(join(place.work, 'left.txt'), 'utf8');
    expect(length % 'left'.length).toBe(0);
    expect(length).toBeLessThan(4 * 400);
  });

  describe('the end of a call before its result', () => {
    const clock = ['--allow', 'clock'];
    const hold = { ms: 60_000, path: 'held.txt' };

    it('is told to a guest that waits, which drops what it holds and changes nothing', async () => {
      const flags = [...allowed, ...clock];
      place.write({ 'held.txt': 'old' });
      const ended = await run('hold', hold, [...flags, '--timeout', '1']);
      expect(ended.exitCode).toBe(5);
      expect(ended.stderr).toContain('three.hold: what it held is dropped');
      expect(readFileSync(join(place.work, 'held.txt'), 'utf8')).toBe('old');
      // It has its time before.
      expect((await run('hold', { ...hold, ms: 30 }, flags)).exitCode).toBe(0);
      expect(readFileSync(join(place.work, 'held.txt'), 'utf8')).toBe('half');
    });

    it('is told by Ctrl+C, too, ends its requests, and the journal has a canceled step', async () => {
      const closed = Promise.withResolvers<void>();
      let interrupt = (): void => {};
      const server = createServer((request) => {
        request.socket.on('close', () => closed.resolve());
        interrupt();
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const authority = `127.0.0.1:${(server.address() as AddressInfo).port}`;
      const args = ['run', 'three.hold-request', JSON.stringify({ authority }), '--json'];
      const flags = ['--allow', `http:http://${authority}`];
      const { code, stderr, lines } = await place.cuervo([...args, ...flags], {
        ownProcess: true,
        onLine: (_, child) => {
          interrupt = () => void child.kill('SIGINT');
        },
      });
      await closed.promise;
      server.close();
      expect([code, stderr]).toEqual([130, 'three.hold-request: what it held is dropped\n']);
      const finished = lines.find(({ type }) => type === 'step-finished');
      expect(finished).toMatchObject({ status: 'canceled' });
    });

    it('closes the stream that it writes after it returned', async () => {
      const { stderr, exitCode } = await run('drip', {}, [...clock, '--timeout', '1']);
      expect(exitCode).toBe(5);
      expect(stderr).toContain('three.drip: nobody reads any more');
    });

    it('does not wait for one that holds on', async () => {
      const { lines } = await place.cuervo([
        ...['run', 'three.cling', '{}', '--json', '--timeout', '1'],
        ...clock,
      ]);
      const finished = lines.find(({ type }) => type === 'step-finished');
      expect(finished).toMatchObject({ status: 'timeout' });
      const { durationMs } = finished as { durationMs: number };
      expect(durationMs).toBeGreaterThanOrEqual(1200);
      expect(durationMs).toBeLessThan(4000);
    });
  });

  it('sends requests, several at once', async () => {
    let open = 0;
    let most = 0;
    const waiting: (() => void)[] = [];
    const server = createServer((request, response) => {
      open += 1;
      most = Math.max(most, open);
      let body = '';
      request.on('data', (chunk) => {
        body += String(chunk);
      });
      const answer = (): void => {
        open -= 1;
        response.setHeader('x-answer', String(request.headers['x-kind']));
        response.end(`${request.method} ${request.url} ${body}`);
      };
      request.on('end', () => {
        // Nobody is answered before three wait.
        if (request.url?.startsWith('/all') !== true) answer();
        else if (waiting.push(answer) === 3) for (const each of waiting) each();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const authority = `127.0.0.1:${(server.address() as AddressInfo).port}`;
      const allow = ['--allow', `http:http://${authority}`];
      const one = { authority, path: '/x?y=1', body: 'hello' };
      expect(await value('fetch', one, allow)).toEqual([200, 'three', 'POST /x?y=1 hello']);
      expect((await run('fetch', one)).exitCode).toBe(3);
      const paths = ['/all/1', '/all/2', '/all/3'];
      const all = { authority, paths };
      const told = paths.map((path) => `POST ${path} `);
      expect(await value('fetch-all', all, allow)).toEqual(told);
      expect(most).toBe(3);
    } finally {
      server.close();
    }
  });
});
