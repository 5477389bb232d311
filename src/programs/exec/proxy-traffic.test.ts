import { once } from 'node:events';
import { createServer } from 'node:net';
import { connect } from 'node:tls';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readServerName } from './proxy-traffic.ts';

/** What a TLS client of Node sends first. */
async function greetingOf(servername: string | undefined): Promise<Buffer> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const options = servername === undefined ? {} : { servername };
  const client = connect({ host: '127.0.0.1', port, ...options });
  client.on('error', () => {});
  const [socket] = await once(server, 'connection');
  const [bytes] = await once(socket, 'data');
  socket.destroy();
  client.destroy();
  server.close();
  return bytes;
}

describe('readServerName()', () => {
  it('reads the name that a client asks for, in small letters', async () => {
    const greeting = await greetingOf('Registry.NPMJS.org');
    expect(readServerName(greeting)).toEqual({ state: 'whole', name: 'registry.npmjs.org' });
    expect(readServerName(await greetingOf(undefined))).toEqual({ state: 'whole' });
  });

  it('waits for the whole of it, wherever it is cut', async () => {
    const greeting = await greetingOf('example.org');
    for (let length = 0; length < greeting.byteLength; length += 1) {
      expect(readServerName(greeting.subarray(0, length)), String(length)).toEqual({
        state: 'partial',
      });
    }
  });

  it('joins records that cut the greeting into pieces', async () => {
    const greeting = await greetingOf('example.org');
    const handshake = greeting.subarray(5);
    const records: Buffer[] = [];
    for (let at = 0; at < handshake.byteLength; at += 100) {
      const part = handshake.subarray(at, at + 100);
      records.push(Buffer.from([22, 3, 1, 0, part.byteLength]), part);
    }
    const cut = Buffer.concat([...records, Buffer.from([23, 3, 3, 0, 1, 0])]);
    expect(readServerName(cut)).toEqual({ state: 'whole', name: 'example.org' });
  });

  it('reads or refuses whatever is sent, and is not kept busy by tiny records', async () => {
    const greeting = await greetingOf('example.org');
    const changes = fc.array(fc.tuple(fc.nat(greeting.byteLength - 1), fc.nat(255)), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(changes, fc.uint8Array({ maxLength: 64 }), (changed, more) => {
        const bytes = Buffer.from(greeting);
        for (const [at, value] of changed) bytes[at] = value;
        for (const sent of [bytes, Buffer.concat([bytes.subarray(0, 60), more]), Buffer.from(more)])
          expect(['partial', 'invalid', 'whole']).toContain(readServerName(sent).state);
      }),
      { seed: 20_261_122, numRuns: 500 },
    );
    const tiny = Buffer.concat(Array.from({ length: 65 }, () => Buffer.from([22, 3, 1, 0, 1, 1])));
    expect(readServerName(tiny)).toEqual({ state: 'invalid' });
  });

  it('takes nothing that is not a greeting, or names two servers', async () => {
    for (const text of [
      'GET / HTTP/1.1\r\n',
      'SSH-2.0',
      '\u0016\u0002',
      '\u0016\u0003\u0001\0\0',
    ]) {
      expect(readServerName(Buffer.from(text, 'latin1')), text).toEqual({ state: 'invalid' });
    }
    expect(readServerName(Buffer.from([22, 3, 1, 0, 4, 2, 0, 0, 0]))).toEqual({ state: 'invalid' });
    const greeting = await greetingOf('aaaa.test');
    const at = greeting.indexOf('aaaa.test') - 5;
    // One list with two names in the place of one: 2 bytes length, then kind, length, name.
    const two = Buffer.from(greeting);
    two.writeUInt8(0, at + 2);
    two.writeUInt16BE(3, at + 3);
    two.writeUInt8(0, at + 8);
    two.writeUInt16BE(3, at + 9);
    expect(readServerName(two)).toEqual({ state: 'invalid' });
    const beyond = Buffer.from(greeting);
    beyond.writeUInt16BE(0xffff, at + 3);
    expect(readServerName(beyond)).toEqual({ state: 'invalid' });
  });
});
