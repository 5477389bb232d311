import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, connect as dial, type Server, type Socket } from 'node:net';
import { holdPort } from '../../support/hold-port.ts';
import { startServer } from '../../support/start-server.ts';

/** What brings the server that the tests of object storage run against. */
export const bringServer =
  "python3 -m pip install --user --break-system-packages 'moto[s3]==5.2.5' flask flask-cors";

/** Whether the server is on this machine. */
export const hasServer =
  spawnSync('python3', ['-c', 'import moto.server, flask_cors']).status === 0;

/** An S3 server on this machine, behind a line that can be cut. */
export type ObjectStore = AsyncDisposable & {
  /** as memory is told of it */
  storage(folder: string): { uri: string; options: Record<string, string> };
  /** From now on nobody gets through; what was under way breaks off. */
  cut(): Promise<void>;
  mend(): Promise<void>;
};

const bucket = 'cuervo-test';

export async function openObjectStore(): Promise<ObjectStore> {
  const server = ['-m', 'moto.server', '-H', '127.0.0.1', '-p', '0'];
  const { child, host } = await startServer('python3', server);
  const endpoint = `http://${host}`;
  const port = Number(new URL(endpoint).port);
  const made = await fetch(`${endpoint}/${bucket}`, { method: 'PUT' });
  if (!made.ok) throw new Error(`the bucket was not made: ${await made.text()}`);
  const sockets = new Set<Socket>();
  const line = createServer((near) => {
    const far = dial(port, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
  });
  const linePort = await listen(line, 0);
  let held: Disposable | undefined;
  const cut = async (): Promise<void> => {
    const closed = once(line, 'close');
    line.close();
    for (const socket of sockets) socket.destroy();
    held = await holdPort(linePort);
    await closed;
  };
  return {
    storage: (folder) => ({
      uri: `s3://${bucket}/${folder}`,
      options: {
        endpoint: `http://127.0.0.1:${linePort}`,
        allow_http: 'true',
        region: 'us-east-1',
        aws_access_key_id: 'test',
        aws_secret_access_key: 'test',
      },
    }),
    cut,
    mend: async () => {
      held?.[Symbol.dispose]();
      await listen(line, linePort);
    },
    [Symbol.asyncDispose]: async () => {
      if (line.listening) await cut();
      held?.[Symbol.dispose]();
      child.kill('SIGKILL');
    },
  };
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
