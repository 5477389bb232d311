import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { openPlace, type Place } from '../support/place.ts';

const fixture = join(import.meta.dirname, '../fixtures/mcp-server/bad-server.mjs');

async function addBad(place: Place, manner: string) {
  copyFileSync(fixture, join(place.work, 'bad.mjs'));
  const command = ['node', 'work:bad.mjs', manner];
  return await place.cuervo(['mcp', 'add', 'bad', '--yes', '--grant', 'fs:work', '--', ...command]);
}

const call = (place: Place, tool: string, input: object = {}) =>
  place.cuervo(['run', `bad.${tool}`, JSON.stringify(input), '--allow', `call:${tool}`]);

describe('a server that is added', () => {
  it.each([
    ['no schema', /not used: tool number 2: inputSchema is missing or of the wrong type/],
    ['deep schema', /not used: tool bad: inputSchema is nested too deeply/],
    ['large schema', /not used: tool bad: inputSchema has 52\d+ bytes, limit 65536/],
  ])('with %s of one tool keeps its other one', async (manner, told) => {
    using place = openPlace();
    const added = await addBad(place, manner);
    expect([added.code, added.stderr]).toEqual([0, expect.stringMatching(told)]);
    expect(added.stdout).toBe('added bad: bad.good\n');
    expect((await call(place, 'good')).stdout).toContain('done');
  });

  it('with 3,000 tools has the first 500, and with two of one name the first', async () => {
    using place = openPlace();
    const many = await addBad(place, 'many tools');
    expect(many.stderr).toContain('it lists 3000 tools, and those after the first 500');
    expect((await call(place, 't499')).stdout).toContain('done');
    expect((await call(place, 't500')).code).toBe(4);
    await place.cuervo(['mcp', 'remove', 'bad']);
    const same = await addBad(place, 'one name');
    expect(same.stderr).toContain('not used: tool a_b: another tool is a_b, too');
  });

  it('with control characters in its words shows them to nobody', async () => {
    using place = openPlace();
    const added = await addBad(place, 'control characters');
    const tools = await place.cuervo(['tools', 'bad']);
    for (const text of [added.stderr, tools.stdout]) {
      expect(text).toContain('red');
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
      expect(text).not.toMatch(/[\u0007\u001b\u202e]/);
    }
  });

  it('with a schema that holds itself has its input checked', async () => {
    using place = openPlace();
    expect((await addBad(place, 'recursive schema')).code).toBe(0);
    expect((await call(place, 'good')).code).toBe(2);
  });

  it('with a tool that comes after the approval has its other one alone, until it is accepted', async () => {
    using place = openPlace();
    await addBad(place, 'grows');
    const file = join(place.work, 'bad.mjs');
    const grown = "grows: [tool('good'), tool('late')]";
    writeFileSync(file, readFileSync(file, 'utf8').replace("grows: [tool('good')]", grown));
    const good = await call(place, 'good');
    expect([good.code, good.stdout]).toEqual([0, expect.stringContaining('done')]);
    expect(good.stderr).toContain('late (new)');
    expect((await call(place, 'late')).code).toBe(4);
    expect((await place.cuervo(['tools', 'bad'])).stdout).not.toContain('late');
    expect((await place.cuervo(['mcp', 'accept', 'bad', '--yes'])).stderr).toContain('new: late');
    expect((await call(place, 'late')).stdout).toContain('done');
  });

  it('whose description gives a model orders shows it to none', async () => {
    using place = openPlace();
    const added = await addBad(place, 'orders');
    const told = [added.stderr, (await place.cuervo(['tools', 'bad', '--json'])).stdout];
    for (const text of told) {
      expect(text).toContain('description is withheld');
      expect(text).not.toContain('send the keys');
    }
    expect((await call(place, 'good')).stdout).toContain('done');
  });

  it.each([
    ['that answers other questions than were asked', 'wrong id'],
    ['that never answers', 'says nothing'],
  ])('%s is given up', async (_, manner) => {
    using place = openPlace();
    const added = await addBad(place, manner);
    expect(added.code).toBe(5);
    expect(added.stderr).toMatch(/did not answer (?:in time|within 30000 ms)/);
    expect(added.stderr.match(/^error:/gm)).toHaveLength(1);
  });
});

describe('a server elsewhere', () => {
  it.each([
    [401, {}, 7, /HTTP 401[\s\S]*--secret NAME/],
    [307, { location: 'http://127.0.0.2:9/mcp' }, 7, /answered with a redirect/],
  ])(
    'that answers a call with %d is told of in one error, and asked again by the next',
    async (status, headers, code, told) => {
      using place = openPlace();
      const state: { next?: [number, Record<string, string>] } = {};
      const web = createServer(async (request, response) => {
        const { id, method } = (await json(request)) as { id?: number; method: string };
        if (method === 'tools/call' && state.next !== undefined)
          return void response.writeHead(...state.next).end();
        if (id === undefined) return void response.writeHead(202).end();
        const result = results[method];
        const body = result === undefined ? { error: { code: -32601, message: 'no' } } : { result };
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
      });
      const url = await listen(web);
      const added = await place.cuervo(['mcp', 'add', 'bad', '--yes', url]);
      expect([added.code, added.stdout]).toEqual([0, 'added bad: bad.good\n']);
      expect((await call(place, 'good')).stdout).toContain('done');
      state.next = [status, headers as Record<string, string>];
      const failed = await call(place, 'good');
      expect([failed.code, failed.stderr]).toEqual([code, expect.stringMatching(told)]);
      expect(failed.stderr.match(/^error:/gm)).toHaveLength(1);
      delete state.next;
      expect((await call(place, 'good')).stdout).toContain('done');
      web.close();
    },
  );
});

const results: Record<string, object> = {
  initialize: {
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'bad', version: '1' },
  },
  'tools/list': { tools: [{ name: 'good', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: 'done' }] },
};

async function listen(web: Server): Promise<string> {
  await new Promise<void>((done) => web.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(web.address() as AddressInfo).port}/mcp`;
}
