import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

/**
 * A port of this machine that refuses connections until it is disposed. It is the near end of a
 * connection, so the system gives it to nobody else meanwhile.
 *
 * @param port one that is free; default: the system chooses
 */
export async function holdPort(port?: number): Promise<Disposable & { port: number }> {
  const far = createServer().listen(0, '127.0.0.1');
  await once(far, 'listening');
  const address = { host: '127.0.0.1', port: (far.address() as AddressInfo).port };
  const near = connect({ ...address, ...(port === undefined ? {} : { localPort: port }) });
  const [[end]] = await Promise.all([once(far, 'connection'), once(near, 'connect')]);
  end.on('error', () => {});
  return {
    port: near.localPort as number,
    [Symbol.dispose]: () => {
      near.resetAndDestroy();
      far.close();
    },
  };
}
