import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addSection } from '../../sdk/build/add-section.ts';
import { jsonToCbor } from '../../src/lib/cbor.ts';
import { openPlace, type Place } from '../support/place.ts';
import { buildCrate, hasRust } from './support/build-crate.ts';

/** The host of Agent Component Tools; on PyPI it is `act-cli`. */
const hasAct = spawnSync('act', ['--version']).stdout?.toString().startsWith('act 0.') === true;

const point = { x: 1, y: 2 };
const values = { large: 2 ** 53 - 1, bytes: { $bytes: 'AQI=' } };

/** Component, its tool as we call it and as it does itself, input, and what it gives. */
const cases = [
  ['pure', 'greet', 'greet', { name: 'Ann' }, 'Hello, Ann!'],
  ['pure', 'values', 'values', values, [2 ** 53 - 1, -7, { $bytes: 'AQI=' }, null, 'é\n$']],
  ['pure', 'nothing', 'nothing', {}, ''],
  [
    ...['pure', 'move-points', 'move_points'],
    { points: [{ x: 0.5, y: 0.5 }] },
    [{ x: 1.5, y: 1.5 }],
  ],
  ['stream', 'count', 'count', { last: 3 }, 'part 1\npart 2\npart 3'],
  ['stream', 'mixed', 'mixed', {}, 'one\n[1,2]\ntwo'],
] as const;

const failures = [
  ['pure', 'find', 'find', { name: 'x' }, 4, 'std:not-found: there is no x'],
  ['stream', 'break-off', 'break_off', {}, 1, 'std:internal: and no more'],
] as const;

/** JSON however it is laid out. */
function readable(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

describe.skipIf(!hasRust())('Agent Component Tools, by act-sdk (cargo, wasm32-wasip2)', () => {
  let place: Place;
  const fileOf = (name: string): string => join(place.dir, `act-${name}.wasm`);
  beforeAll(async () => {
    place = openPlace();
    for (const name of ['pure', 'stream', 'http']) {
      const built = buildCrate('act-tools', `act-${name}`);
      writeFileSync(fileOf(name), name === 'http' ? packed(built) : built);
      await place.cuervo(['plugin', 'install', fileOf(name), '--yes']);
    }
  });
  afterAll(() => place[Symbol.dispose]());

  /** As `act-build pack` does it. */
  function packed(component: Buffer): Uint8Array {
    const http = {
      description: 'gets the pages that you name',
      constraints: [{ host: '127.0.0.1' }],
    };
    const capabilities = { 'wasi:http': http };
    const std = {
      name: 'Page_Reader',
      version: '1.2.3',
      description: 'Reads pages.',
      capabilities,
    };
    return addSection(component, 'act:component', jsonToCbor({ std }));
  }

  const run = async (tool: string, input: unknown, flags: readonly string[] = []) =>
    await place.cuervo(['run', tool, JSON.stringify(input), ...flags]);

  it.each(cases)('act-%s.%s gives what it says', async (name, tool, _, input, expected) => {
    const { stdout } = await run(`act-${name}.${tool}`, input);
    const given = stdout.replace(/\n$/, '');
    expect(typeof expected === 'string' ? given : readable(given)).toEqual(expected);
  });

  it.each(failures)('act-%s.%s fails as it says', async (name, tool, _, input, exit, message) => {
    const { stderr, exitCode } = await run(`act-${name}.${tool}`, input);
    expect(stderr).toContain(message);
    expect(exitCode).toBe(exit);
  });

  describe.skipIf(!hasAct)('as under act call (act-cli of PyPI)', () => {
    const call = (name: string, tool: string, input: unknown) => {
      const args = ['call', '--no-audit', fileOf(name), tool, '--args', JSON.stringify(input)];
      return spawnSync('act', args, { encoding: 'utf8' });
    };

    it.each(cases)('%s, %s', (name, _, tool, input, expected) => {
      const { stdout } = call(name, tool, input);
      const given = stdout.replace(/\n$/, '');
      expect(typeof expected === 'string' ? given : readable(given)).toEqual(expected);
    });

    it.each(failures)('%s, %s', (name, _, tool, input, _exit, message) => {
      const { stderr, status } = call(name, tool, input);
      expect(stderr).toContain(message);
      expect(status).not.toBe(0);
    });
  });

  it('says what a tool wrote before it trapped', async () => {
    const { stderr, exitCode } = await run('act-pure.panic', {});
    expect([stderr, exitCode]).toEqual([expect.stringContaining('on purpose'), 6]);
  });

  it('takes whole numbers for floats, also deep inside', async () => {
    const { stdout } = await run('act-pure.move-points', { points: [point], by: point });
    expect(JSON.parse(stdout)).toEqual([{ x: 2, y: 4 }]);
  });

  it('refuses input that its schema does not have before it runs', async () => {
    const { stderr, exitCode } = await run('act-pure.greet', { nme: 'Ann' });
    expect([stderr, exitCode]).toEqual([expect.stringContaining('name'), 2]);
  });

  it('has a label like any other, with what it declares', async () => {
    const { stdout } = await place.cuervo(['plugin', 'inspect', fileOf('http'), '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      name: 'page-reader',
      version: '1.2.3',
      description: 'Reads pages.',
      capabilities: [{ capability: 'http', why: 'gets the pages that you name', by: 'author' }],
      tools: [{ name: 'get-page', effect: 'external', description: 'Gets a page' }],
      verdict: 'installable',
    });
  });

  it('sends requests where they are granted, and denies them elsewhere', async () => {
    const server = createServer((request, response) =>
      response.end(`you asked for ${request.url}`),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const authority = `127.0.0.1:${(server.address() as AddressInfo).port}`;
      const input = { authority, path: '/x' };
      const allow = ['--allow', `http:http://${authority}`];
      const { stdout } = await run('page-reader.get-page', input, allow);
      expect(stdout).toBe('200 you asked for /x\n');
      const denied = await run('page-reader.get-page', input);
      expect(denied.exitCode).toBe(3);
      expect(denied.stderr).toContain(`--allow http:http://${authority}`);
    } finally {
      server.close();
    }
  });
});
