import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A wire to a port of this machine that can be cut. The caller owns it. */
export type Wire = AsyncDisposable & {
  port: number;
  /** Breaks what is open, and lets nothing through until it is mended. */
  cut(): void;
  /** Lets nothing through and says nothing; what is open then stays so for ever. */
  silence(): void;
  mend(): void;
};

export async function openWire(to: number): Promise<Wire> {
  const open = new Set<Socket>();
  let state: 'whole' | 'cut' | 'silent' = 'whole';
  const server = createServer((from) => {
    if (state !== 'whole') {
      from.on('error', () => {});
      open.add(from);
      if (state === 'cut') from.destroy();
      return;
    }
    const out = connect(to, '127.0.0.1');
    for (const [one, other] of [
      [from, out],
      [out, from],
    ] as const) {
      open.add(one);
      one.on('error', () => {});
      one.once('close', () => {
        open.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      state = 'cut';
      for (const socket of open) socket.destroy();
    },
    silence: () => {
      state = 'silent';
      for (const socket of open) {
        socket.unpipe();
        socket.pause();
      }
    },
    mend: () => {
      state = 'whole';
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
