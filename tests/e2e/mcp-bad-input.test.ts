import { describe, expect, it } from 'vitest';
import { ask, openRaw as openServer } from '../support/open-raw.ts';
import { openPlace, type Place } from '../support/place.ts';

const openRaw = (
  place: Place,
  args: readonly string[] = ['--tools', 'file.*', '--tools', 'runs'],
): ReturnType<typeof openServer> => openServer(place, ['mcp', 'serve', ...args]);

const hello = [
  ask(0, 'initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'raw', version: '1' },
  }),
  { jsonrpc: '2.0', method: 'notifications/initialized' },
];
const read = (id: unknown, path = 'a.txt') =>
  ask(id, 'tools/call', { name: 'file_read', arguments: { path } });
const files = { 'a.txt': 'the heron\n' };

describe('a client of cuervo mcp serve', () => {
  it.each([
    ['an unknown method', ask(1, 'tools/paint'), -32601],
    ['an unknown tool', ask(1, 'tools/call', { name: 'nope' }), -32602],
    ['a call without a name', ask(1, 'tools/call', {}), -32602],
    [
      'arguments that are a list',
      ask(1, 'tools/call', { name: 'file_read', arguments: [] }),
      -32602,
    ],
    [
      'a resource that is not there',
      ask(1, 'resources/read', { uri: 'file:///etc/passwd' }),
      -32602,
    ],
  ])('that sends %s is told so, and served on', async (_, message, code) => {
    using place = openPlace(files);
    const raw = openRaw(place);
    raw.send(...hello, message);
    const { error } = await raw.reply(1);
    expect(error?.message).toBeTruthy();
    expect(error?.code).toBe(code);
    raw.send(read(2));
    expect((await raw.reply(2)).result?.content?.[0]?.text).toContain('the heron');
    expect(await raw.end()).toBe(0);
  });

  it('that opens with a revision that there will be is told of those that there are', async () => {
    using place = openPlace(files);
    const raw = openRaw(place);
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2031-01-01',
      'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    raw.send(ask(1, 'tools/list', { _meta: meta }));
    const { error } = await raw.reply(1);
    expect(JSON.stringify(error)).toContain('2026-07-28');
    raw.send(...hello, read(2));
    expect((await raw.reply(2)).result?.content?.[0]?.text).toContain('the heron');
    expect(await raw.end()).toBe(0);
  });

  it('that opens with an unknown revision is offered one that there is', async () => {
    using place = openPlace(files);
    const raw = openRaw(place);
    raw.send(
      ask(0, 'initialize', {
        protocolVersion: '1999-01-01',
        capabilities: {},
        clientInfo: { name: 'raw', version: '1' },
      }),
    );
    const { result } = (await raw.reply(0)) as { result?: { protocolVersion?: string } };
    expect(result?.protocolVersion).toMatch(/^2025-/);
    expect(await raw.end()).toBe(0);
  });

  it.each([
    ['half a message', '{"jsonrpc":"2.0","id":5,"met'],
    ['no JSON', 'hello\n'],
    ['zero bytes', '\0\0\0\n'],
  ])('that sends %s and closes gets no answer to it, and the server ends', async (_, text) => {
    using place = openPlace(files);
    const raw = openRaw(place);
    raw.send(...hello, read(1));
    await raw.reply(1);
    raw.send(text);
    expect(await raw.end()).toBe(0);
    expect(raw.replies.filter(({ id }) => id === 5)).toEqual([]);
  });

  it('that sends one message of 64 MB is told of the limit, and the server ends', async () => {
    using place = openPlace(files);
    const raw = openRaw(place);
    raw.send(...hello, read(1));
    await raw.reply(1);
    raw.send(`${JSON.stringify(read(2, 'x'.repeat(64 * 1024 ** 2)))}\n`);
    await raw.ended;
    expect(raw.stderr()).toMatch(/exceed|size|limit/i);
    expect(raw.replies.filter(({ id }) => id === 2)).toEqual([]);
  });

  it('that gives two requests one id, or cancels what is done, gets what it asked for', async () => {
    using place = openPlace({ ...files, 'b.txt': 'the quarry\n' });
    const raw = openRaw(place);
    raw.send(...hello, read('same'), read('same', 'b.txt'), read(3));
    await raw.reply(3);
    await expect.poll(() => raw.replies.filter(({ id }) => id === 'same').length).toBe(2);
    raw.send(
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 3 } },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'never' } },
      read(4),
    );
    expect((await raw.reply(4)).result?.content?.[0]?.text).toContain('the heron');
    expect(await raw.end()).toBe(0);
  });

  it('that makes up an answer to a question is told that no call waits for it', async () => {
    using place = openPlace(files);
    const raw = openRaw(place);
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
    };
    raw.send(
      ask(1, 'tools/call', {
        name: 'file_write',
        arguments: { path: 'b.txt', text: 'b' },
        requestState: 'made-up',
        inputResponses: { answer: { action: 'accept', content: { answer: 'once' } } },
        _meta: meta,
      }),
    );
    const { result } = await raw.reply(1);
    expect(result?.isError).toBe(true);
    expect(result?.content?.[0]?.text).toContain('no call that waits');
    expect(await raw.end()).toBe(0);
  });

  it('that closes its end in the middle of a call ends the guests and the server', async () => {
    using place = openPlace(files);
    const raw = openRaw(place, ['--tools', 'shell.run', '--allow', 'exec:sleep']);
    const call = {
      name: 'shell_run',
      arguments: { command: 'sleep 100' },
      _meta: { progressToken: 1 },
    };
    raw.send(...hello, ask(1, 'tools/call', call));
    await expect.poll(() => raw.replies.length, { timeout: 30_000 }).toBe(2);
    expect(await raw.end()).toBe(0);
    const { stdout } = await place.cuervo(['runs', 'list', '--json']);
    expect(stdout).toContain('"status":"canceled"');
  });

  it.each([
    [['--tools', 'nosuch.*'], 4, 'no tool is named by --tools nosuch.*'],
    [['--http', 'x'], 2, 'is not a port'],
    [['--allow', 'paint'], 2, 'paint'],
  ])('is not waited for with %j', async (args, code, message) => {
    using place = openPlace(files);
    const ran = await place.cuervo(['mcp', 'serve', ...args]);
    expect(ran).toMatchObject({ code });
    expect(ran.stderr).toContain(message);
  });
});
