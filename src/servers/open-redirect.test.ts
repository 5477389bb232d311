import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { openRedirect } from './sign-in.ts';

const { signal } = new AbortController();

describe('openRedirect()', () => {
  it('takes the code of the one that has the state, and outlives addresses that are none', async () => {
    await using target = await openRedirect(signal);
    const { port } = new URL(target.url);
    const status = async (path: string): Promise<string> => {
      const socket = connect(Number(port), '127.0.0.1');
      socket.end(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
      const [first] = await once(socket, 'data');
      socket.destroy();
      return String(first).slice(9, 12);
    };
    for (const path of ['//', '///', 'http://[', '/other']) expect(await status(path)).toBe('404');
    expect(await status('/signed-in?code=c&state=wrong')).toBe('400');
    expect(await status(`/signed-in?code=c&state=${target.state}`)).toBe('200');
    expect(await target.returned).toEqual({ code: 'c' });
  });

  it('closes although a request is half sent', async () => {
    const target = await openRedirect(signal);
    const socket = connect(Number(new URL(target.url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write('GET / HTTP/1.1\r\nhost:');
    socket.on('error', () => {});
    const closed = new Promise((done) => socket.once('close', done));
    await target[Symbol.asyncDispose]();
    await closed;
  });
});
