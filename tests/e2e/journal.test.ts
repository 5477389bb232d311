import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import type { JournalEvent, JournalKind } from '../../src/contracts/journal.ts';
import {
  journalBodies,
  journalEventSchema,
  type Stats,
} from '../../src/contracts/output/parse-journal.ts';
import { openStore } from '../../src/store/open-store.ts';
import { lastToolResult, startAnthropicServer } from '../fixtures/anthropic-server/server.ts';
import { openPlace, type Place } from '../support/place.ts';
import type { Ran } from '../support/run-cuervo.ts';

const allow = ['--allow', 'fs:work', '--allow', 'clock', '--allow', 'random', '--allow', 'kv'];

type Span = {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: { key: string }[];
  startTimeUnixNano: string;
  endTimeUnixNano: string;
};

const allowWrite = ['--allow', 'fs-write:work'];

/** A plugin that takes something of each kind of host call. */
const plugin = (upper: boolean, more = ''): string => `
import { clock, definePlugin, fs, kv, random, v } from '@cuervo/sdk';
export default definePlugin({ name: 'seer', version: '0.1.0', description: 'Looks.',
  wants: ['fs', 'clock', 'random', 'kv'].map((capability) => ({ capability, why: 'to look' })),
  tools: [{ name: 'look', description: 'Looks.', effect: 'write', input: v.object({ path: v.string() }),
    examples: [{ path: 'a.txt' }], run: ({ path }) => {
      const { text } = fs.readText(path);
      ${more}
      kv.setText('last', text);
      return { content: { text: ${upper ? 'text.toUpperCase()' : 'text'}, at: clock.nowMs(),
        drawn: [...random.bytes(4)], kept: kv.getText('last') === text }, summary: 'looked' };
    } }, { name: 'count', description: 'Counts.', effect: 'read', input: v.object({}), examples: [{}],
      run: () => ({ content: fs.walk('.').length, summary: 'counted' }) }] });
`;

/** So many that a list of them is too large to record. */
const manyFiles = (): Record<string, string> =>
  Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`many/file-${at}.txt`, `${at}\n`]));

async function ok(place: Place, ...args: string[]): Promise<Ran> {
  const ran = await place.cuervo(args);
  expect(ran.code, `${args.join(' ')}: ${ran.stderr}`).toBe(0);
  return ran;
}

const newest = async (place: Place): Promise<string> =>
  `${(await ok(place, 'runs', 'list', '--json')).rows[0]?.run}`;

const eventsOf = (place: Place): JournalEvent[] => {
  using store = openStore({ path: join(place.home, 'cuervo.db') });
  return store.eventsAfter(0, 10_000);
};

describe('the journal', () => {
  it('replays a run without what it read, and shows a component that does otherwise', async () => {
    using place = openPlace({ 'a.txt': 'limit\n', 'seer.js': plugin(false), ...manyFiles() });
    await ok(place, 'plugin', 'build', 'seer.js');
    await ok(place, 'plugin', 'install', 'dist/seer.wasm', '--yes');
    await ok(place, 'run', 'seer.look', 'path=a.txt', ...allow);
    const run = await newest(place);
    place.write({ 'a.txt': 'other\n' });
    const alike = (await ok(place, 'runs', 'replay', run, '--json')).rows[0];
    expect(alike).toMatchObject({ alike: true, steps: [{ outcome: 'alike', calls: 5 }] });

    for (const [source, found] of [
      [
        plugin(true),
        { at: 'result', field: 'content/text', recorded: 'limit\n', replayed: 'LIMIT\n' },
      ],
      [
        plugin(false, "fs.stat('a.txt');"),
        { at: 'call 2', field: 'call', recorded: 'clock.now-ms', replayed: 'fs.stat' },
      ],
      [
        plugin(false).replace('readText(path)', "readText('b.txt')"),
        { at: 'call 1', field: 'fs.read-text args/0', recorded: 'a.txt', replayed: 'b.txt' },
      ],
    ] as const) {
      place.write({ 'seer.js': source });
      await ok(place, 'plugin', 'build', 'seer.js');
      const other = await place.cuervo([
        ...['runs', 'replay', run, '--plugin', 'dist/seer.wasm', '--json'],
      ]);
      expect(other.code).toBe(1);
      expect(other.rows[0]).toMatchObject({ alike: false, steps: [{ outcome: 'different' }] });
      expect(
        (other.rows[0] as { steps: [{ differences: unknown[] }] }).steps[0].differences[0],
      ).toEqual(found);
    }
    // The newest version stands in the folder that it was installed from.
    const asked = await place.cuervo(['plugin', 'update', 'seer', '--replay']);
    expect(asked.code).not.toBe(0);
    const differs = `Replayed run ${run}: s1 differs at call 1, fs.read-text args/0.`;
    expect(asked.stderr).toContain(differs);
    const updated = await ok(place, 'plugin', 'update', 'seer', '--replay', '--yes', '--json');
    expect(updated.rows[0]).toMatchObject({
      ...{ outcome: 'updated', replayed: [{ run, alike: false }] },
    });
    place.write({ 'seer.js': plugin(false).replace('0.1.0', '0.2.0') });
    await ok(place, 'plugin', 'build', 'seer.js');
    const same = await ok(place, 'plugin', 'update', 'seer', '--replay', '--yes');
    expect(same.stderr).toContain(`Replayed run ${run}: it does the same.`);
    const last = ['runs', 'replay', '--last', '3', '--plugin'];
    expect((await ok(place, ...last, 'seer@0.2.0', '--json')).rows).toMatchObject([
      { run, alike: true },
    ]);
    const before = await place.cuervo([...last, 'seer@0.1.0']);
    expect(before.stdout).toContain('call 1, fs.read-text args/0: then "a.txt", now "b.txt"');
    expect(before.code).toBe(1);
    const never = await place.cuervo([...last, 'seer@9.9.9']);
    expect(never.stderr).toContain('no version 9.9.9 of seer; here is 0.2.0 and 0.1.0');
    expect(never.code).toBe(4);
    expect((await place.cuervo(['runs', 'replay', run, ...last.slice(2, 4)])).code).toBe(2);
    // What a built-in tool looks at again, a plugin of others has no files for.
    await ok(place, 'run', 'seer.count', ...allow);
    const counted = await place.cuervo(['runs', 'replay', await newest(place)]);
    expect(counted.stdout).toMatch(/not-replayed +seer\.count.*what fs\.walk .* is not recorded/);
    await ok(place, 'plugin', 'remove', 'seer');
    const gone = await place.cuervo(['runs', 'replay', run]);
    expect(gone.stdout).toContain('there is no tool seer.look any more');
    expect(gone.code).toBe(1);
    expect(await ok(place, 'audit', 'verify')).toMatchObject({
      stdout: expect.stringMatching(/^whole: /),
    });
  });

  it('replays what was too long for a row where it was recorded, until it is pruned', async () => {
    const long = 'a line\n'.repeat(20_000);
    using place = openPlace({ 'long.txt': long });
    const read = ['run', 'file.read', 'path=long.txt', 'start=19000', 'end=19001'];
    await ok(place, ...read);
    // It is read again while it is the same file.
    const still = await ok(place, 'runs', 'replay', await newest(place));
    expect(still.stdout).toContain('every step came to the same');
    place.write({ 'long.txt': `${long}and more` });
    const bare = await place.cuervo(['runs', 'replay', await newest(place)]);
    place.write({ 'long.txt': long });
    expect(bare.stdout).toMatch(/what fs\.\S+ \S*long\.txt answered is not recorded/);
    expect(bare.code).toBe(1);
    place.write(manyFiles());
    await ok(place, 'run', 'file.find', 'pattern=*.txt');
    const found = await newest(place);
    expect((await ok(place, 'runs', 'replay', found)).stdout).toContain('came to the same');
    place.write({ 'many/file-7.txt': 'another' });
    const changed = await place.cuervo(['runs', 'replay', found]);
    expect(changed.stdout).toMatch(
      /what fs\.walk \S+ answered is not recorded, and is another now/,
    );
    expect(changed.code).toBe(1);
    await ok(place, ...read, '--record');
    const run = await newest(place);
    place.write({ 'long.txt': 'else' });
    expect((await ok(place, 'runs', 'replay', run)).stdout).toContain(
      'every step came to the same',
    );
    expect((await ok(place, 'audit', 'verify')).stdout).toMatch(/^whole: /);
    await ok(place, 'jobs', 'run', 'prune_blobs');
    await ok(place, 'runs', 'replay', run);
    const blobs = join(place.home, 'blobs');
    const [blob = '', ...others] = readdirSync(blobs);
    expect(others).toEqual([]);
    writeFileSync(join(blobs, blob), 'changed');
    for (const damage of ['changed', 'missing']) {
      const gone = await place.cuervo(['runs', 'replay', run]);
      expect(gone.stdout, damage).toContain('is not recorded');
      expect(gone.code, damage).toBe(1);
      rmSync(join(blobs, blob), { force: true });
    }
    await ok(place, 'memory', 'forget', '--run', run, '--yes');
    expect(readdirSync(blobs)).toEqual([]);
  });

  it('holds each kind of event by its schema, and proves itself elsewhere', async () => {
    using place = openPlace({ 'a.txt': 'the limit is 3\u200b\n' });
    await using server = await startAnthropicServer(
      (body, { number }) =>
        number === 1
          ? { type: 'message', toolUses: [{ name: 'file__read', input: { path: 'a.txt' } }] }
          : { type: 'message', text: `It is in ${lastToolResult(body)?.length} characters.` },
      { apiKey: 'key-of-a-test' },
    );
    const env = { ANTHROPIC_API_KEY: 'key-of-a-test', ANTHROPIC_BASE_URL: server.url };
    const asked = ['ask', '--model', 'claude-test', 'what does the file a.txt say about limits?'];
    expect((await place.cuervo(asked, { env })).code).toBe(0);
    expect((await ok(place, 'explain', '--json')).rows[0]).toMatchObject({
      model: { name: 'claude-test', from: 'command line', answered: ['claude-test'] },
      steps: [{ tool: 'file.read', status: 'ok' }],
      requests: [
        { round: 1, stop: 'tool-calls', attempts: 1, prompt: { leftOut: { tools: 0 } } },
        { round: 2, stop: 'end', attempts: 1 },
      ],
      denied: [],
      answer: { mode: 'model', stop: 'answered' },
      cost: { requests: 2 },
      missing: [],
    });
    const requested = eventsOf(place).flatMap(({ kind, body }) =>
      kind === 'model-call' ? [body] : [],
    );
    expect(requested).toMatchObject([{ cacheMiss: 'new' }, { cacheMiss: 'new' }]);
    const traced = JSON.parse(
      (await ok(place, 'runs', 'export', await newest(place), '--otlp')).stdout,
    );
    const spans: Span[] = traced.resourceSpans[0].scopeSpans[0].spans;
    const named = (name: string): Span[] => spans.filter((span) => span.name === name);
    const requests = named('chat claude-test');
    expect(requests.map(({ parentSpanId }) => parentSpanId)).toEqual(
      ['round 1', 'round 2'].map((name) => named(name)[0]?.spanId),
    );
    expect(named('execute_tool file.read')[0]?.parentSpanId).toBe(named('round 1')[0]?.spanId);
    for (const { attributes } of requests)
      expect(attributes.map(({ key }) => key)).toEqual(
        expect.arrayContaining([
          ...['gen_ai.operation.name', 'gen_ai.provider.name', 'gen_ai.request.model'],
          ...['gen_ai.usage.input_tokens', 'gen_ai.usage.output_tokens'],
          'gen_ai.response.finish_reasons',
        ]),
      );
    const again = ['runs', 'replay', await newest(place), '--model'];
    expect((await ok(place, ...again, '--json')).rows[0]).toMatchObject({
      ...{ alike: true, steps: [{ step: 's1', tool: 'file.read', outcome: 'alike' }] },
    });
    expect((await place.cuervo(['run', 'file.read', 'path=none.txt'])).code).toBe(4);
    const none = await place.cuervo(['runs', 'replay', await newest(place), '--model']);
    expect(none.stderr).toContain('no model was asked in it');
    expect(none.code).toBe(4);
    expect((await place.cuervo(['run', 'shell.run', 'command=curl x'])).code).toBe(3);
    expect((await ok(place, 'explain')).stdout).toMatch(/^denied +s1 exec\.run curl x, 1 time$/m);
    await ok(place, 'plugin', 'grant', 'shell', 'exec:seq');
    await ok(place, 'run', 'shell.run', 'command=seq 3');
    expect((await ok(place, 'explain')).stdout).toMatch(/^allowed +shell used exec:seq 1 time/m);
    expect((await ok(place, 'stats', '--since', '1h', '--json')).rows[0]).toMatchObject({
      runs: { total: 5, byCommand: { ask: 1, run: 3 } },
      models: [{ model: 'claude-test', requests: 2, attempts: 2 }],
      failures: expect.arrayContaining([{ code: 'permission-denied', times: 1 }]),
      guard: [{ action: 'escaped', check: 'hidden-text', times: 1 }],
      gaps: 0,
    });
    expect((await ok(place, 'stats', '--since', '2999-01-01', '--json')).rows[0]).toMatchObject({
      runs: { total: 0 },
    });
    await ok(place, 'ask', 'remember that the limit of uploads is 5');
    await ok(place, 'ask', 'what is the limit of uploads?');
    await ok(place, 'jobs', 'run', 'prune');
    await place.cuervo(['plugin', 'install', `${server.url}/none.wasm`, '--yes']);
    const sessions = await ok(place, 'session', 'list', '--json');
    const stdin = 'what does the file a.txt say?\n/compact\n';
    expect((await place.cuervo(['chat', '--model', 'claude-test'], { env, stdin })).code).toBe(0);
    const summed = (await ok(place, 'stats', '--json')).rows[0] as unknown as Stats;
    expect(summed.shortened).toMatchObject({ times: 1 });
    await ok(place, 'session', 'delete', `${sessions.rows[0]?.id}`, '--yes');
    expect((await place.cuervo(asked, { env })).code).toBe(0);

    const events = eventsOf(place);
    for (const event of events) v.parse(journalEventSchema, event);
    const kinds = new Set(events.map(({ kind }) => kind));
    // A store that is locked for long makes a gap: src/journal/record-run.test.ts.
    const all = (Object.keys(journalBodies) as JournalKind[]).filter((kind) => kind !== 'gap');
    expect(all.filter((kind) => !kinds.has(kind))).toEqual([]);

    const whole = await ok(place, 'audit', 'verify');
    expect(whole.stdout).toMatch(
      /^note: run \w+: the contents of \d+ events were removed by forget/,
    );
    const file = join(place.dir, 'journal.jsonl');
    const key = join(place.dir, 'audit.pem');
    writeFileSync(file, (await ok(place, 'audit', 'export')).stdout);
    writeFileSync(key, (await ok(place, 'audit', 'key')).stdout);
    using other = openPlace();
    const check = ['audit', 'verify', '--export', file, '--key', key];
    expect((await ok(other, ...check)).stdout).toContain(`whole: ${events.length} events`);
    writeFileSync(file, readFileSync(file, 'utf8').replace('file.read', 'file.rEad'));
    const edited = await other.cuervo(check);
    expect(edited.code).toBe(1);
    expect(edited.stdout).toMatch(/broken: event \d+: line \d+ was changed/);
  });

  it('names the run of each line, what a plugin needed, and exports a run as a trace', async () => {
    using place = openPlace({ 'a.txt': 'one\ntwo\n' });
    const write = async (text: string): Promise<string> => {
      await ok(place, 'run', 'file.write', JSON.stringify({ path: 'a.txt', text }), ...allowWrite);
      return await newest(place);
    };
    const first = await write('one\ntwo\nthree\nfour\n');
    const second = await write('one\n2\nthree\nfour\n');
    const lines = (await ok(place, 'runs', 'blame', 'a.txt', '--json')).rows;
    expect(lines).toMatchObject([
      { line: 1, endLine: 1, isSure: true },
      { line: 2, endLine: 2, run: second, command: 'run', isSure: true },
      { line: 3, endLine: 4, run: first },
    ]);
    expect(lines[0]).not.toHaveProperty('run');
    place.write({ 'a.txt': 'one\n2\nthree\nfour\nfive\n' });
    expect((await ok(place, 'runs', 'blame', 'a.txt', '--json')).rows.at(-1)).toMatchObject({
      ...{ line: 5, run: second, isSure: false },
    });
    expect((await place.cuervo(['runs', 'blame', 'none.txt'])).code).toBe(4);

    await ok(place, 'plugin', 'grant', 'shell', 'exec:seq', 'exec:nproc');
    const unused = await ok(place, 'plugin', 'use', 'shell', '--json');
    expect(unused.rows.filter(({ isSpare }) => isSpare)).toEqual([]);
    await ok(place, 'run', 'shell.run', 'command=seq 3');
    const used = await ok(place, 'plugin', 'use', 'shell', '--narrow', '--json');
    expect(used.rows).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ grant: 'exec:seq', status: 'held', calls: 1, isSpare: false }),
        expect.objectContaining({ grant: 'exec:nproc', calls: 0, isSpare: true }),
      ]),
    );
    const held = (await ok(place, 'plugin', 'grants', 'shell', '--json')).rows;
    expect(held.map(({ grant }) => grant)).toContain('exec:seq');
    expect(held.map(({ grant }) => grant)).not.toContain('exec:nproc');

    const shell = (await ok(place, 'runs', 'list', '--json')).rows.find(
      ({ question }) => question === 'shell.run',
    )?.run;
    const otlp = JSON.parse((await ok(place, 'runs', 'export', `${shell}`, '--otlp')).stdout);
    const [{ spans }] = otlp.resourceSpans[0].scopeSpans;
    const names = spans.map(({ name }: { name: string }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['invoke_agent cuervo', 'execute_tool shell.run', 'exec.run']),
    );
    const ids = new Set(spans.map(({ spanId }: { spanId: string }) => spanId));
    const parents: string[] = spans.flatMap(({ parentSpanId }: { parentSpanId?: string }) =>
      parentSpanId === undefined ? [] : [parentSpanId],
    );
    expect(parents).toHaveLength(spans.length - 1);
    expect(parents.filter((id) => !ids.has(id))).toEqual([]);
    expect(JSON.stringify(otlp)).not.toContain('seq 3');
    const chrome = await ok(place, 'runs', 'export', `${shell}`, '--chrome', '--words');
    expect(JSON.parse(chrome.stdout).traceEvents).toHaveLength(spans.length);
    expect(chrome.stdout).toContain('seq 3');
    const plain = await ok(place, 'runs', 'export', `${shell}`, '--json');
    expect(plain.rows.map(({ kind }) => kind)).toContain('grant');
  });

  it('is one chain where several processes write it at once, from its first event on', async () => {
    using place = openPlace({ 'a.txt': 'one\n' });
    const many = 6;
    await Promise.all(
      Array.from({ length: many }, () => ok(place, 'run', 'file.read', 'path=a.txt')),
    );
    const ended = eventsOf(place).filter(({ kind }) => kind === 'run-finished');
    expect(ended).toHaveLength(many);
    expect(new Set(ended.map(({ run }) => run)).size).toBe(many);
    expect((await ok(place, 'audit', 'verify', '--json')).rows[0]).toMatchObject({
      ...{ whole: true, heads: many, problems: [], notes: [] },
    });
  });

  it('writes a log of lines of JSON where a level is set, which holds no words', async () => {
    using place = openPlace({ 'quarry.txt': 'one\n' });
    const log = join(place.home, 'logs', 'events.log');
    await ok(place, 'run', 'file.read', 'path=quarry.txt');
    expect(existsSync(log)).toBe(false);
    const env = { CUERVO_LOG: 'debug' };
    await place.cuervo(['run', 'file.read', 'path=quarry.txt'], { env });
    await place.cuervo(['run', 'file.read', 'path=none.txt'], { env });
    const text = readFileSync(log, 'utf8');
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const known = new Set(eventsOf(place).map(({ run }) => run));
    expect(lines.filter(({ run }) => !known.has(`${run}`))).toEqual([]);
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ level: 'debug', kind: 'host-call', call: 'fs.read-text' }),
        expect.objectContaining({ level: 'info', kind: 'step', tool: 'file.read', status: 'ok' }),
        expect.objectContaining({ level: 'error', kind: 'error', code: 'not-found' }),
      ]),
    );
    expect(text).not.toMatch(/quarry|none\.txt/);
    await ok(place, 'config', 'set', 'log', 'warn');
    rmSync(log);
    await ok(place, 'run', 'file.read', 'path=quarry.txt');
    expect(existsSync(log)).toBe(false);
  });

  it('sends a trace of each run to a collector, where one is configured', async () => {
    using place = openPlace({ 'a.txt': 'one\n' });
    const got: { path: string; spans: Span[] }[] = [];
    const collector = createServer((request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        const sent = JSON.parse(Buffer.concat(pieces).toString());
        got.push({ path: `${request.url}`, spans: sent.resourceSpans[0].scopeSpans[0].spans });
        response.end('{}');
      });
    });
    await new Promise<void>((done) => collector.listen(0, '127.0.0.1', done));
    const { port } = collector.address() as AddressInfo;
    const list = ['run', 'file.list', 'path=.'];
    await ok(place, ...list);
    expect(got).toEqual([]);
    const file = join(place.home, 'config.toml');
    writeFileSync(file, `[otlp]\nendpoint = "http://127.0.0.1:${port}"\n`);
    await ok(place, ...list);
    expect(got.map(({ path }) => path)).toEqual(['/v1/traces']);
    const [root, step] = ['invoke_agent cuervo', 'execute_tool file.list'].map((name) =>
      got[0]?.spans.find((span) => span.name === name),
    );
    expect(step).toMatchObject({ kind: 1, parentSpanId: root?.spanId, traceId: root?.traceId });
    expect(root?.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(step?.attributes).toContainEqual({
      ...{ key: 'gen_ai.tool.name', value: { stringValue: 'file.list' } },
    });
    expect(BigInt(`${step?.endTimeUnixNano}`)).toBeGreaterThanOrEqual(
      BigInt(`${step?.startTimeUnixNano}`),
    );
    collector.closeAllConnections();
    await new Promise((done) => collector.close(done));
    expect((await ok(place, ...list)).stderr).toContain('did not take the trace');
  });
});
