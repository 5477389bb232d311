import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openMcpClient } from '../support/mcp-client.ts';
import { bundleServer, fixtureServer } from '../support/mcp-fixture.ts';
import { openPlace, type Place } from '../support/place.ts';

async function openWithServer(grants: readonly string[] = ['fs:work']): Promise<Place> {
  const place = openPlace({ 'a.txt': 'the heron\n' });
  writeFileSync(join(place.dir, 'outside.txt'), 'outside\n');
  await bundleServer(fixtureServer, join(place.work, 'server.mjs'));
  const added = await place.cuervo([
    ...['mcp', 'add', 'tries', '--yes', ...grants.flatMap((grant) => ['--grant', grant])],
    ...['--env', 'GIVEN=given', '--env', `PLACE=${place.dir}`],
    ...['--', 'node', 'work:server.mjs'],
  ]);
  expect([added.code, added.stderr]).toEqual([0, expect.stringContaining('tries')]);
  return place;
}

const run = (place: Place, tool: string, of: string, ...more: readonly string[]) =>
  place.cuervo(
    ['run', `tries.${tool}`, JSON.stringify({ of }), '--allow', `call:${tool}`, ...more],
    { env: { SECRET_OF_THE_PERSON: 'hidden' } },
  );

/** Processes of the server of a place, by a variable that it was given. */
function processesOf({ dir }: Place): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`PLACE=${dir}`);
      } catch {
        return false;
      }
    });
}

describe('cuervo mcp add', () => {
  it('hides a secret that a server was given in what it answers', async () => {
    using place = openPlace();
    await bundleServer(fixtureServer, join(place.work, 'server.mjs'));
    const env = { CUERVO_SECRETS_PASSPHRASE: 'correct horse' };
    const set = await place.cuervo(['secret', 'set', 'KEY', '--for', 'https://example.com'], {
      ...{ stdin: 'word-of-a-test\n', env },
    });
    expect([set.code, set.stderr]).toEqual([0, expect.any(String)]);
    const added = await place.cuervo(
      [
        ...['mcp', 'add', 'tries', '--yes', '--grant', 'fs:work', '--secret', 'KEY'],
        ...['--', 'node', 'work:server.mjs'],
      ],
      { env },
    );
    expect([added.code, added.stderr]).toEqual([0, expect.stringContaining('tries')]);
    const told = await place.cuervo(
      ['run', 'tries.variable', '{"of":"KEY"}', '--allow', 'call:variable'],
      { env },
    );
    expect([told.code, told.stdout]).toEqual([0, expect.stringContaining('[secret KEY]')]);
    expect(told.stdout).not.toContain('word-of-a-test');
  });

  it('confines a server: files, variables and the network are what was granted', async () => {
    using place = await openWithServer();
    const asked = await place.cuervo(['run', 'tries.read', '{"of":"/roots/work/a.txt"}']);
    expect(asked.code).toBe(3);
    expect(asked.stderr).toContain('cuervo plugin grant tries call:read');
    expect((await run(place, 'read', '/roots/work/a.txt')).stdout).toContain('the heron');

    const outside = await run(place, 'read', join(place.dir, 'outside.txt'));
    expect([outside.code, outside.stderr]).toEqual([1, expect.stringContaining('ENOENT')]);
    const readOnly = await run(place, 'write', '/roots/work/b.txt');
    expect([readOnly.code, readOnly.stderr]).toEqual([1, expect.stringContaining('EROFS')]);

    expect((await run(place, 'variable', 'SECRET_OF_THE_PERSON')).stdout).toContain('(not set)');
    expect((await run(place, 'variable', 'GIVEN')).stdout).toContain('given');

    const web = createServer((_, response) => response.end('from the web'));
    await new Promise<void>((done) => web.listen(0, '127.0.0.1', done));
    const origin = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
    const denied = await run(place, 'fetch', origin);
    expect(denied.stdout).toContain('was not granted');
    expect(denied.stderr).toContain(`--grant http:${origin} of cuervo mcp add`);
    const granted = await run(place, 'fetch', origin, '--allow', `http:${origin}`);
    expect(granted.stdout).toContain('from the web');
    const other = await run(place, 'fetch', 'http://127.0.0.1:9/', '--allow', `http:${origin}`);
    expect(other.stdout).toContain('was not granted');
    web.close();
  });

  it('starts a file of the workspace in that workspace alone', async () => {
    using place = await openWithServer();
    const other = join(place.dir, 'other');
    mkdirSync(other);
    copyFileSync(join(place.work, 'server.mjs'), join(other, 'server.mjs'));
    const elsewhere = await run(place, 'variable', 'GIVEN', '--workspace', other);
    expect([elsewhere.code, elsewhere.stdout]).toEqual([4, '']);
    const tested = await place.cuervo(['mcp', 'test', 'tries', '--workspace', other]);
    expect(tested.code).toBe(4);
    expect(tested.stderr).toContain(`belongs to ${place.work}`);
    const tools = await place.cuervo(['tools'], { cwd: other });
    expect([tools.code, tools.stdout.includes('tries.')]).toEqual([0, false]);
    expect((await run(place, 'variable', 'GIVEN')).stdout).toContain('given');
  });

  it('keeps a warm server from a protected file that is made, or put in place of one, meanwhile', async () => {
    using place = await openWithServer();
    const allow = ['--allow', 'call:read', '--allow', 'call:count'];
    await using mcp = await openMcpClient(place, { args: ['--tools', 'tries.*', ...allow] });
    const count = async () => (await mcp.call('tries_count', { of: 'x' })).text;
    const read = async (name: string) =>
      (await mcp.call('tries_read', { of: `/roots/work/${name}` })).text;
    expect(await count()).toBe('call 1 of this process');
    place.write({ 'b.txt': 'the quarry\n' });
    expect(await read('b.txt')).toContain('the quarry');
    expect(await count()).toBe('call 2 of this process');

    place.write({ '.env': 'TOKEN=first\n' });
    expect(await read('.env')).not.toContain('first');
    expect(await count()).toBe('call 1 of this process');
    place.write({ 'b.txt': 'TOKEN=second\n' });
    expect(await read('b.txt')).toContain('second');
    renameSync(join(place.work, 'b.txt'), join(place.work, '.env'));
    expect(await read('.env')).not.toContain('second');
    expect(await count()).toBe('call 1 of this process');
    // A file that is removed and made again often has the number of the one before.
    rmSync(join(place.work, '.env'));
    place.write({ '.env': 'TOKEN=third\n' });
    expect(await read('.env')).not.toContain('third');
    expect(await count()).toBe('call 1 of this process');
  });

  it('takes back what a server changed, and ends it with the run', async () => {
    using place = await openWithServer(['fs-write:work']);
    expect((await run(place, 'write', '/roots/work/b.txt')).code).toBe(0);
    expect(readFileSync(join(place.work, 'b.txt'), 'utf8')).toBe('written\n');
    expect((await place.cuervo(['undo', '--yes'])).stdout).toContain('b.txt');
    expect(existsSync(join(place.work, 'b.txt'))).toBe(false);
  });

  it('turns a tool off whose description changed, until it is accepted', async () => {
    using place = await openWithServer();
    const file = join(place.work, 'server.mjs');
    const changed = readFileSync(file, 'utf8').replace('Reads a file.', 'Reads any file.');
    writeFileSync(file, changed);
    const off = await run(place, 'read', '/roots/work/a.txt');
    expect([off.code, off.stderr]).toEqual([8, expect.stringContaining('cuervo mcp accept tries')]);
    expect((await run(place, 'variable', 'GIVEN')).code).toBe(0);
    expect((await place.cuervo(['tools', 'tries'])).stdout).not.toContain('tries.read');
    expect((await place.cuervo(['mcp', 'test', 'tries'])).code).toBe(8);
    const accepted = await place.cuervo(['mcp', 'accept', 'tries', '--reads', 'read', '--yes']);
    expect(accepted.stderr).toContain('+ Reads any file.');
    const read = await place.cuervo(['run', 'tries.read', '{"of":"/roots/work/a.txt"}']);
    expect(read.stdout).toContain('the heron');
    expect((await place.cuervo(['mcp', 'remove', 'tries'])).code).toBe(0);
    expect((await place.cuervo(['tools', 'tries'])).code).toBe(4);
  });

  it('tells each fault of a server in one error', async () => {
    using place = await openWithServer();
    const died = await run(place, 'die', 'x');
    expect([died.code, died.stderr]).toEqual([7, expect.stringContaining('ended with 7')]);
    const hanging = run(place, 'hang', 'x', '--timeout', '3');
    await expect.poll(() => processesOf(place), { timeout: 20_000 }).not.toEqual([]);
    const late = await hanging;
    expect([late.code, late.stderr]).toEqual([5, expect.stringContaining('took longer than 3000')]);
    // It takes no notice of SIGTERM, and is gone all the same.
    expect(processesOf(place)).toEqual([]);
    const long = await run(place, 'flood', '2000000');
    expect([long.code, long.stderr]).toEqual([5, expect.stringContaining('max-result-bytes')]);
    const huge = await run(place, 'flood', '100000000');
    expect([huge.code, huge.stderr]).toEqual([7, expect.stringContaining('sent a message of')]);
    const missing = await place.cuervo(['mcp', 'add', 'other', '--yes', '--', 'nosuchprogram']);
    expect([missing.code, missing.stderr]).toEqual([4, expect.stringContaining('nosuchprogram')]);
    const silent = await place.cuervo(['mcp', 'add', 'other', '--yes', '--', 'true']);
    expect([silent.code, silent.stderr]).toEqual([7, expect.stringContaining('ended with 0')]);
    const taken = await place.cuervo(['mcp', 'add', 'file', '--yes', '--', 'true']);
    expect([taken.code, taken.stderr]).toEqual([8, expect.stringContaining('name of a plugin')]);
    expect((await place.cuervo(['mcp', 'list'])).stdout.trim().split('\n')).toHaveLength(1);
  });
});
