import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { create } from 'tar';
import type { LockedPackage } from '../../src/lib/parts/part-lock.ts';

/** How a registry answers for a tarball. */
export type Manner = 'whole' | 'cut' | 'hang' | 'lie' | 'longer' | 'missing' | 'redirect';

/** A registry that serves tarballs over HTTP, as npm asks for them. */
export type Registry = AsyncDisposable & {
  url: string;
  /** how it answers from now on */
  manner: Manner;
  /** method, path and range of what was asked for */
  asked: string[];
  add(wanted: LockedPackage, bytes: Uint8Array): void;
};

export async function openRegistry(): Promise<Registry> {
  const tarballs = new Map<string, Uint8Array>();
  const state: { manner: Manner; asked: string[] } = { manner: 'whole', asked: [] };
  const server = createServer((request, response) => {
    const { url = '', headers } = request;
    state.asked.push([url, ...(headers.range === undefined ? [] : [headers.range])].join(' '));
    const bytes = tarballs.get(url.replace('/moved', ''));
    if (bytes === undefined || state.manner === 'missing')
      return void response.writeHead(404).end();
    if (state.manner === 'redirect' && !url.startsWith('/moved'))
      return void response.writeHead(302, { location: `/moved${url}` }).end();
    answer(response, Buffer.from(bytes), headers.range, state.manner);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return Object.assign(state, {
    url: `http://127.0.0.1:${port}/`,
    add: ({ name, version }: LockedPackage, bytes: Uint8Array) => {
      tarballs.set(`/${name}/-/${name.split('/').at(-1)}-${version}.tgz`, bytes);
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  });
}

function answer(
  response: ServerResponse,
  bytes: Buffer,
  range: string | undefined,
  manner: Manner,
): void {
  const from = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
  const half = Math.floor(bytes.length / 2);
  if (manner === 'lie') bytes = Buffer.from(bytes).fill(0, half, half + 1);
  if (manner === 'longer') bytes = Buffer.concat([bytes, bytes]);
  const rest = bytes.subarray(from);
  response.writeHead(from > 0 ? 206 : 200, { 'content-length': rest.length });
  if (manner !== 'cut' && manner !== 'hang') return void response.end(rest);
  response.write(rest.subarray(0, half), () => {
    if (manner === 'cut') response.socket?.end();
  });
}

/**
 * Packs a package as npm does: below `package/`.
 *
 * @param files path below the package -> text
 */
export function packPackage(
  name: string,
  files: Readonly<Record<string, string>>,
  system: Partial<LockedPackage> = {},
): { wanted: LockedPackage; bytes: Uint8Array } {
  const folder = mkdtempSync(join(tmpdir(), 'cuervo-pack-'));
  const all = { 'package.json': JSON.stringify({ name, version: '1.0.0' }), ...files };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, 'package', path)), { recursive: true });
    writeFileSync(join(folder, 'package', path), text, { mode: 0o755 });
  }
  const file = join(folder, 'package.tgz');
  create({ file, cwd: folder, gzip: true, sync: true }, ['package']);
  const bytes = readFileSync(file);
  rmSync(folder, { recursive: true });
  const sizes = Object.values(all).map((text) => Buffer.byteLength(text));
  return {
    wanted: lockOf(name, bytes, { unpackedBytes: sizes.reduce((a, b) => a + b), ...system }),
    bytes,
  };
}

export function lockOf(
  name: string,
  bytes: Uint8Array,
  more: Partial<LockedPackage> = {},
): LockedPackage {
  return {
    name,
    version: '1.0.0',
    place: `node_modules/${name}`,
    integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}`,
    bytes: bytes.length,
    unpackedBytes: bytes.length,
    ...more,
  };
}
