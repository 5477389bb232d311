import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/contracts/events.ts';
import { openScriptedKernel } from '../bench/open-scripted-kernel.ts';
import { openMcpClient } from '../support/mcp-client.ts';
import { openPlace, type Place } from '../support/place.ts';
import { bundleRealServer, lacksRealServers } from '../support/real-servers.ts';

type Server = Parameters<typeof bundleRealServer>[0];

/** A workspace with a real server that was added as `name`. */
async function openWith(
  name: string,
  server: Server,
  options: { flags: readonly string[]; args?: readonly string[] },
): Promise<Place> {
  const { flags, args = [] } = options;
  const place = openPlace({ 'a.txt': 'the heron nests in the quarry\n' });
  writeFileSync(join(place.dir, 'outside.txt'), 'outside\n');
  mkdirSync(place.home, { mode: 0o700 });
  // A Node that is old enough takes no proxy from its environment.
  writeFileSync(join(place.home, 'config.toml'), '[programs]\npath = "user"\n');
  await bundleRealServer(server, join(place.work, `${name}.mjs`));
  const command = ['node', `work:${name}.mjs`, ...args];
  const added = await place.cuervo(['mcp', 'add', name, '--yes', ...flags, '--', ...command]);
  expect([added.code, added.stdout]).toEqual([0, expect.stringContaining(`added ${name}`)]);
  return place;
}

const openFiles = (grant: 'fs:work' | 'fs-write:work'): Promise<Place> =>
  openWith('files', 'server-filesystem', { flags: ['--grant', grant], args: ['work:'] });

const allow = (...tools: readonly string[]): string[] =>
  tools.flatMap((tool) => ['--allow', `call:${tool}`]);

describe.skipIf(lacksRealServers !== '')(`real servers ${lacksRealServers}`, () => {
  it('server-filesystem reads what was granted, and no file outside', async () => {
    using place = await openFiles('fs:work');
    const read = (path: string) =>
      place.cuervo([
        ...['run', 'files.read_text_file', JSON.stringify({ path })],
        ...allow('read_text_file'),
      ]);
    expect((await read('/roots/work/a.txt')).stdout).toContain('the heron');
    // The server refuses what lies beyond its argument; the sandbox does it without the server.
    expect((await read(join(place.dir, 'outside.txt'))).code).toBe(1);
    await place.cuervo(['mcp', 'remove', 'files']);
    const command = ['node', 'work:files.mjs', '/'];
    await place.cuervo(['mcp', 'add', 'files', '--yes', '--grant', 'fs:work', '--', ...command]);
    expect((await read('/roots/work/a.txt')).stdout).toContain('the heron');
    const outside = await read(join(place.dir, 'outside.txt'));
    expect([outside.code, outside.stderr]).toEqual([1, expect.stringContaining('ENOENT')]);
  });

  it('server-filesystem writes with fs-write alone, and undo takes it back', async () => {
    const input = JSON.stringify({ path: '/roots/work/b.txt', content: 'new\n' });
    const write = ['run', 'files.write_file', input, ...allow('write_file')];
    {
      using place = await openFiles('fs:work');
      const denied = await place.cuervo(write);
      expect([denied.code, denied.stderr]).toEqual([1, expect.stringContaining('EROFS')]);
    }
    using place = await openFiles('fs-write:work');
    expect((await place.cuervo(write)).code).toBe(0);
    expect(readFileSync(join(place.work, 'b.txt'), 'utf8')).toBe('new\n');
    expect((await place.cuervo(['undo', '--yes'])).stdout).toContain('b.txt');
    expect(existsSync(join(place.work, 'b.txt'))).toBe(false);
  });

  it('server-everything finds the variables that were named, and reaches the origin that was granted', async () => {
    const flags = ['--grant', 'fs:work', '--env', 'GIVEN=given', '--env', 'NODE_USE_ENV_PROXY=1'];
    using place = await openWith('every', 'server-everything', { flags });
    const variables = await place.cuervo(['run', 'every.get-env', '{}', ...allow('get-env')], {
      env: { SECRET_OF_THE_PERSON: 'hidden' },
    });
    expect(variables.stdout).toContain('"GIVEN": "given"');
    expect(variables.stdout).not.toContain('SECRET_OF_THE_PERSON');

    await using web = await openWeb();
    const input = JSON.stringify({ name: 'x', data: `${web.origin}/a`, outputType: 'resource' });
    const fetches = [
      ...['run', 'every.gzip-file-as-resource', input],
      ...allow('gzip-file-as-resource'),
    ];
    const denied = await place.cuervo(fetches);
    expect([denied.code, denied.stderr]).toEqual([1, expect.stringContaining('fetch failed')]);
    expect(web.asked).toEqual([]);
    const granted = await place.cuervo([...fetches, '--allow', `http:${web.origin}`]);
    expect([granted.code, granted.stderr]).toEqual([0, expect.any(String)]);
    expect(web.asked).toEqual(['/a']);
  });

  it('server-everything answers with structured content, and its progress reaches a client of cuervo', async () => {
    using place = await openWith('every', 'server-everything', { flags: ['--grant', 'fs:work'] });
    const run = (tool: string, input: object) =>
      place.cuervo(['run', `every.${tool}`, JSON.stringify(input), ...allow(tool), '--json']);
    const sum = await run('get-sum', { a: 2, b: 3 });
    expect(sum.stdout).toContain('The sum of 2 and 3 is 5');
    const weather = await run('get-structured-content', { location: 'Chicago' });
    expect(weather.stdout).toContain('humidity');
    const wrong = await run('get-sum', { a: 'two', b: 3 });
    expect(wrong.code).toBe(2);

    const tool = 'trigger-long-running-operation';
    await using mcp = await openMcpClient(place, { args: ['--tools', 'every.*', ...allow(tool)] });
    const told: number[] = [];
    const input = { duration: 1, steps: 4 };
    const onprogress = ({ progress }: { progress: number }) => void told.push(progress);
    const long = await mcp.call(`every_${tool}`, input, { onprogress });
    expect(long.text).toContain('Long running operation completed');
    // The last one may come together with the result, which ends the listening.
    expect(told.slice(0, 3)).toEqual([1, 2, 3]);
  });

  it('are called by a script, each call asked about', async () => {
    using place = await openFiles('fs:work');
    const code =
      'return (await tools.call("files.read_text_file", { path: "/roots/work/a.txt" })).content;';
    place.write({ 's.js': code });
    const asked = await place.cuervo(['script', 's.js']);
    expect([asked.code, asked.stderr]).toEqual([
      3,
      expect.stringContaining('cuervo plugin grant files call:read_text_file'),
    ]);
    const ran = await place.cuervo(['script', 's.js', ...allow('read_text_file')]);
    expect(ran.stdout).toContain('the heron nests in the quarry');
  });

  it('are called by the model of a question, whose answer names them', async () => {
    using place = await openFiles('fs:work');
    const accepted = ['mcp', 'accept', 'files', '--reads', 'read_text_file', '--yes'];
    expect((await place.cuervo(accepted)).code).toBe(0);
    await using kernel = await openScriptedKernel({
      ...{ home: place.home, workspace: place.work },
      reply: (request, number) =>
        number === 1
          ? { calls: [{ name: 'files.read_text_file', input: { path: '/roots/work/a.txt' } }] }
          : { text: JSON.stringify(request.messages).includes('heron') ? 'The heron.' : 'Nobody.' },
    });
    const events: RunEvent[] = [];
    for await (const event of kernel.ask('which bird nests there, by files.read_text_file?'))
      events.push(event);
    const called = events.flatMap((event) => (event.type === 'step-finished' ? [event] : []));
    expect(called).toMatchObject([{ status: 'ok' }]);
    expect(events.find(({ type }) => type === 'answer')).toMatchObject({ text: 'The heron.' });
  });
});

async function openWeb(): Promise<AsyncDisposable & { origin: string; asked: string[] }> {
  const asked: string[] = [];
  const web = createServer(({ url = '' }, response) => {
    asked.push(url);
    response.end('from the web');
  });
  await new Promise<void>((done) => web.listen(0, '127.0.0.1', done));
  return {
    asked,
    origin: `http://127.0.0.1:${(web.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () => new Promise<void>((done) => void web.close(() => done())),
  };
}
