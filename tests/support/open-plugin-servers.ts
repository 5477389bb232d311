import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Handler = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void;
export type LocalServer = AsyncDisposable & { url: string; host: string; asked: string[] };

/** A server on loopback that answers as the test says. */
export async function serve(handler: Handler): Promise<LocalServer> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => handler(request, response, Buffer.concat(pieces)));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    host: `127.0.0.1:${port}`,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

export type PublishedVersion = {
  tarball: Uint8Array;
  /** in place of the true one */
  integrity?: string;
  /** in place of the address of the tarball */
  address?: string;
  bundles?: readonly object[];
};

/** A registry of npm with one package, as npm itself answers. */
export function npmAnswers(
  name: string,
  versions: () => Readonly<Record<string, PublishedVersion>>,
): Handler {
  return (request, response) => {
    const { url = '' } = request;
    const base = `http://${request.headers.host}`;
    const known = versions();
    const tarball = /\/-\/.+-(\d+\.\d+\.\d+)\.tgz$/.exec(url)?.[1];
    const attested = /\/-\/npm\/v1\/attestations\/.+@(\d+\.\d+\.\d+)$/.exec(url)?.[1];
    if (attested !== undefined) {
      const attestations = (known[attested]?.bundles ?? []).map((bundle) => ({
        predicateType: 'https://slsa.dev/provenance/v1',
        bundle,
      }));
      return void response.end(JSON.stringify({ attestations }));
    }
    if (tarball !== undefined) return void response.end(known[tarball]?.tarball);
    if (url !== `/${name.replace('/', '%2f')}`) return void response.writeHead(404).end('{}');
    const entries = Object.entries(known).map(([version, published]) => [
      version,
      {
        name,
        version,
        dist: {
          tarball: published.address ?? `${base}/${name}/-/${name}-${version}.tgz`,
          integrity:
            published.integrity ??
            `sha512-${createHash('sha512').update(published.tarball).digest('base64')}`,
          ...(published.bundles === undefined
            ? {}
            : { attestations: { url: `${base}/-/npm/v1/attestations/${name}@${version}` } }),
        },
      },
    ]);
    const latest = Object.keys(known).at(-1);
    const text = JSON.stringify({
      name,
      'dist-tags': { latest },
      versions: Object.fromEntries(entries),
    });
    response.setHeader('content-type', 'application/json');
    response.end(text);
  };
}
