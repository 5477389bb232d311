import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openAcpClient } from '../support/acp-client.ts';
import { ask, openRaw } from '../support/open-raw.ts';
import { openPlace, type Place } from '../support/place.ts';

const files = { 'a.txt': 'the heron\n' };
const hello = ask(0, 'initialize', {
  protocolVersion: 1,
  clientInfo: { name: 'raw', version: '1' },
  clientCapabilities: {},
});

/** A client that has said hello. */
async function openAcp(place: Place): Promise<ReturnType<typeof openRaw>> {
  const raw = openRaw(place, ['acp', '-m', 'none']);
  raw.send(hello);
  await raw.reply(0);
  return raw;
}

const begin = (id: unknown, cwd: string) => ask(id, 'session/new', { cwd, mcpServers: [] });

describe('an editor of cuervo acp', () => {
  it.each([
    ['an unknown method', () => ask(1, 'session/paint'), -32601],
    ['a folder that is not there', () => begin(1, '/no/such/folder'), -32602],
    ['a folder that is no absolute path', () => begin(1, '..'), -32602],
    ['a session without a folder', () => ask(1, 'session/new', {}), -32602],
    [
      'a message to a session that is not open',
      () => ask(1, 'session/prompt', { sessionId: 'x', prompt: [{ type: 'text', text: 'hi' }] }),
      -32602,
    ],
    ['a message without a session', () => ask(1, 'session/prompt', { prompt: 'hi' }), -32602],
    [
      'a session of an earlier time that there was not',
      () => ask(1, 'session/load', { sessionId: '../x', cwd: '/', mcpServers: [] }),
      -32602,
    ],
  ])('that sends %s is told so, and served on', async (_, message, code) => {
    using place = openPlace(files);
    const raw = await openAcp(place);
    raw.send(message());
    const { error } = await raw.reply(1);
    expect(error?.message).toBeTruthy();
    expect(error?.code).toBe(code);
    raw.send(begin(2, place.work));
    expect((await raw.reply(2)).result?.sessionId).toBeTruthy();
    expect(await raw.end()).toBe(0);
  });

  it('that sends half a message, or no JSON, and closes ends the server', async () => {
    using place = openPlace(files);
    const raw = await openAcp(place);
    raw.send('hello\n', '[1,2]\n', begin(1, place.work));
    expect((await raw.reply(1)).result?.sessionId).toBeTruthy();
    raw.send('{"jsonrpc":"2.0","id":5,"met');
    expect(await raw.end()).toBe(0);
    expect(raw.replies.filter(({ id }) => id === 5)).toEqual([]);
  });

  it('that sends one message of 64 MB ends the server, which says why', async () => {
    using place = openPlace(files);
    const raw = await openAcp(place);
    const text = 'x'.repeat(64 * 1024 ** 2);
    raw.send(ask(1, 'session/prompt', { sessionId: 'x', prompt: [{ type: 'text', text }] }));
    await raw.ended;
    expect(raw.stderr()).toMatch(/exceed|size|limit/i);
    expect(raw.replies.filter(({ id }) => id === 1)).toEqual([]);
  });

  it('that opens sessions without end is told of the limit, and has those that it opened', async () => {
    using place = openPlace(files);
    const raw = await openAcp(place);
    raw.send(...Array.from({ length: 40 }, (_, at) => begin(at + 1, place.work)));
    await expect
      .poll(() => raw.replies.filter(({ id }) => Number(id) > 0).length, { timeout: 30_000 })
      .toBe(40);
    expect(raw.replies.filter(({ result }) => result?.sessionId !== undefined)).toHaveLength(16);
    expect(raw.replies.find(({ error }) => error !== undefined)?.error?.message).toContain('16');
    expect(await raw.end()).toBe(0);
  });

  it.skipIf(!existsSync('/usr/bin/bwrap'))(
    'that cancels, or dies, ends the tools that run, and the journal says so',
    async () => {
      using place = openPlace(files);
      const args = ['-m', 'none', '--allow', 'exec:sleep'];
      const text = [{ type: 'text' as const, text: 'run sleep 300' }];
      const statuses = async () => (await place.cuervo(['runs', 'list'])).stdout;
      const isRunning = (acp: { updates: readonly unknown[] }) =>
        expect
          .poll(() => JSON.stringify(acp.updates).includes('"in_progress"'), { timeout: 30_000 })
          .toBe(true);
      {
        await using acp = await openAcpClient(place, { args });
        const { sessionId } = await acp.agent.request('session/new', {
          cwd: place.work,
          mcpServers: [],
        });
        const asked = acp.agent.request('session/prompt', { sessionId, prompt: text });
        await isRunning(acp);
        await acp.agent.notify('session/cancel', { sessionId });
        expect(await asked).toMatchObject({ stopReason: 'cancelled' });
        expect((await statuses()).match(/canceled/g)).toHaveLength(1);
        const again = acp.agent.request('session/prompt', { sessionId, prompt: text });
        again.catch(() => {});
        acp.updates.length = 0;
        await isRunning(acp);
      }
      expect((await statuses()).match(/canceled/g)).toHaveLength(2);
    },
  );
});
