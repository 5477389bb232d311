import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Header } from 'tar';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { watGuest } from '../escape/support/wat-plugin.ts';
import { type MockSigstore, openMockSigstore } from '../support/mock-sigstore.ts';
import {
  type LocalServer,
  npmAnswers,
  type PublishedVersion,
  serve,
} from '../support/open-plugin-servers.ts';
import { openPlace, type Place } from '../support/place.ts';
import { type Ran, twoLines } from '../support/run-cuervo.ts';

type Entry = {
  path: string;
  bytes?: Uint8Array;
  type?: 'File' | 'SymbolicLink' | 'Link';
  to?: string;
};

/** Written by hand: tar itself packs nothing that is hostile. */
function tarball(entries: readonly Entry[]): Buffer {
  const blocks = entries.flatMap(({ path, bytes = Buffer.alloc(0), type = 'File', to }) => {
    const block = Buffer.alloc(512);
    new Header({
      path,
      type,
      size: bytes.byteLength,
      mode: 0o644,
      ...(to && { linkpath: to }),
    }).encode(block, 0);
    return [block, Buffer.from(bytes), Buffer.alloc((512 - (bytes.byteLength % 512)) % 512)];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

const wasmOf = new Map<string, Buffer>();
const number = (value: number): string => `(call $ok-number (i32.const ${value}))`;
const clock = '(import "cuervo:host/clock@0.1.0" "now-ms" (func $now (param i32)))';

/** What is denied has an error in the first byte of its result. */
const orFail =
  '(if (i32.load8_u (i32.const 64)) (then (return (call $failed (i32.const 1) (i32.const 4096) (i32.const 0)))))';

async function kit(
  version: string,
  value: number,
  wants: readonly 'clock'[] = [],
): Promise<Buffer> {
  const file = await watGuest({
    name: 'csv-kit',
    version,
    wants,
    tools: [{ name: 'count', effect: wants.length > 0 ? 'read' : 'pure' }],
    imports: wants.length > 0 ? clock : '',
    call: `${wants.length > 0 ? `(call $now (i32.const 64)) ${orFail}` : ''} ${number(value)}`,
  });
  return readFileSync(file);
}

const kitOf = (name: string): Buffer => wasmOf.get(name) as Buffer;
const packed = (wasm: Uint8Array, json: object = { cuervo: { plugin: 'csv-kit.wasm' } }): Buffer =>
  tarball([
    {
      path: 'package/package.json',
      bytes: Buffer.from(JSON.stringify({ name: 'csv-kit', ...json })),
    },
    { path: 'package/csv-kit.wasm', bytes: wasm },
  ]);

let versions: Record<string, PublishedVersion> = {};
let npm: LocalServer;
let sigstore: MockSigstore;
beforeAll(async () => {
  wasmOf.set('1', await kit('1.0.0', 1));
  wasmOf.set('2', await kit('1.1.0', 2, ['clock']));
  npm = await serve(npmAnswers('csv-kit', () => versions));
  sigstore = await openMockSigstore();
});
afterAll(() => npm[Symbol.asyncDispose]());

const env = (place: Place) => ({
  HOME: place.dir,
  npm_config_registry: npm.url,
  npm_config_fetch_timeout: '30000',
  XDG_CACHE_HOME: join(place.dir, 'cache'),
});
const run = (place: Place, ...args: string[]): Promise<Ran> =>
  place.cuervo(args, { env: env(place) });
const install = (place: Place, ...args: string[]): Promise<Ran> =>
  run(place, 'plugin', 'install', ...args, '--yes');
const answer = async (place: Place, tool = 'csv-kit.count'): Promise<string> =>
  (await run(place, 'run', tool, '{}', '--allow', 'clock', '-q')).stdout.trim();
const lastError = ({ stderr }: Ran): string => /^error: (.+)$/m.exec(stderr)?.[1] ?? stderr;
const listed = async (place: Place) =>
  (await run(place, 'plugin', 'list', '--json')).rows.filter(({ source }) => source !== 'built-in');

describe('plugin install npm:', () => {
  it('brings the highest version of a range, says where it is from, and locks it', async () => {
    using place = openPlace();
    versions = {
      '1.0.0': { tarball: packed(kitOf('1')) },
      '1.1.0': { tarball: packed(kitOf('2')) },
    };
    const old = await install(place, 'npm:csv-kit@~1.0', '--json');
    expect(old.rows).toMatchObject([
      {
        version: '1.0.0',
        source: 'npm:csv-kit@~1.0',
        resolved: 'npm:csv-kit@1.0.0',
        identity: 'nobody',
      },
    ]);
    expect(old.stderr).toContain('it is not signed');
    expect(await answer(place)).toBe('1');
    const newer = await install(place, 'npm:csv-kit', '--json');
    expect(newer.rows).toMatchObject([{ version: '1.1.0' }]);
  });

  it.each([
    [
      'a version that does not exist',
      'npm:csv-kit@7.0.0',
      /no version of csv-kit is in 7\.0\.0; there is 1\.0\.0/,
      4,
    ],
    ['a range that matches nothing', 'npm:csv-kit@^9', /no version of csv-kit is in \^9/, 4],
    ['a tag that is none', 'npm:csv-kit@beta', /csv-kit has no tag "beta"/, 4],
    ['a package that is not there', 'npm:nonesuch', /does not have it \(404\)/, 4],
    ['what is no name', 'npm:../x', /is not the name of an npm package/, 2],
    [
      'another source behind the name',
      'npm:csv-kit@https://evil.example/x.tgz',
      /is neither a version, a range nor a tag/,
      2,
    ],
    ['a scheme that is none', 'ftp://example.org/x.wasm', /ftp: is not a source of plugins/, 2],
    ['plain http', 'http://example.org/x.wasm', /is not read over plain http/, 2],
    [
      'a password in the address',
      'https://me:secret@example.org/x.wasm',
      /holds no user or password/,
      2,
    ],
  ])('refuses %s in one sentence', async (_, source, error, code) => {
    using place = openPlace();
    versions = { '1.0.0': { tarball: packed(kitOf('1')) } };
    const ran = await install(place, source);
    expect(lastError(ran)).toMatch(error);
    expect(ran.code).toBe(code);
    expect(ran.stderr).not.toContain('secret@');
  });

  const wasm = { path: 'package/csv-kit.wasm', bytes: Buffer.from('\0asm') };
  const json = { path: 'package/package.json', bytes: Buffer.from('{}') };
  it.each<[string, Buffer | (() => PublishedVersion), RegExp]>([
    [
      'a link',
      tarball([json, wasm, { path: 'package/l', type: 'SymbolicLink', to: '/etc/passwd' }]),
      /is a SymbolicLink/,
    ],
    [
      'a hard link',
      tarball([json, wasm, { path: 'package/l', type: 'Link', to: 'package/csv-kit.wasm' }]),
      /is a Link/,
    ],
    [
      'an absolute path',
      tarball([json, { ...wasm, path: '/etc/x.wasm' }]),
      /is outside of the package/,
    ],
    [
      'a way out',
      tarball([json, { ...wasm, path: 'package/../../x.wasm' }]),
      /is outside of the package/,
    ],
    ['one path twice', tarball([json, wasm, wasm]), /is there twice/],
    [
      'two plugins',
      tarball([json, wasm, { ...wasm, path: 'package/b.wasm' }]),
      /holds 2 \.wasm files/,
    ],
    ['no plugin', tarball([json]), /it is not a plugin: it has no \.wasm/],
    [
      'a plugin that is named and not there',
      tarball([{ ...json, bytes: Buffer.from('{"cuervo":{"plugin":"x.wasm"}}') }]),
      /names x\.wasm, which is not in it/,
    ],
    [
      'another digest than its package.json says',
      packed(Buffer.from('\0asm'), { cuervo: { plugin: 'csv-kit.wasm', sha256: '0'.repeat(64) } }),
      /promises csv-kit\.wasm with SHA-256 0{12}…/,
    ],
    ['a bomb', gzipSync(Buffer.alloc(400 * 1024 * 1024)), /unpacks to more than/],
    ['what is no tarball', Buffer.from('text'), /not packed with gzip/],
    ['half of a tarball', tarball([json, wasm]).subarray(0, 100), /cut off or damaged/],
    [
      'names that a terminal would obey',
      tarball([json, { ...wasm, path: 'package/\u001b[2J.wasm' }]),
      /has control characters/,
    ],
    [
      'another integrity',
      () => ({
        tarball: packed(kitOf('1')),
        integrity: `sha512-${Buffer.alloc(64).toString('base64')}`,
      }),
      /other bytes than it promised/,
    ],
    [
      'no integrity',
      () => ({ tarball: packed(kitOf('1')), integrity: 'sha1-abc' }),
      /gives no digest to check it by/,
    ],
    [
      'a tarball over plain http elsewhere',
      () => ({ tarball: packed(kitOf('1')), address: 'http://example.org/x.tgz' }),
      /which cuervo does not ask/,
    ],
    [
      'a tarball on another port of this machine',
      () => ({ tarball: packed(kitOf('1')), address: 'https://127.0.0.1:1/x.tgz' }),
      /which cuervo does not ask/,
    ],
  ])(
    'refuses a package with %s, and keeps nothing',
    async (_, bad, error) => {
      using place = openPlace();
      versions = { '1.0.0': typeof bad === 'function' ? bad() : { tarball: bad } };
      const ran = await install(place, 'npm:csv-kit');
      expect(lastError(ran)).toMatch(error);
      expect(ran.stderr).not.toContain('\u001b[2J');
      expect(await listed(place)).toEqual([]);
      expect(existsSync(join(place.dir, 'cache/cuervo/plugins'))).toBe(false);
    },
    60_000,
  );

  it('takes no version for one that is none', async () => {
    using place = openPlace();
    const text =
      '{"dist-tags":{"latest":"__proto__"},"versions":{"__proto__":{"dist":{"tarball":"x"}},"../x":{"dist":{"tarball":"x"}}}}';
    await using registry = await serve((_, response) => response.end(text));
    for (const source of ['npm:csv-kit', 'npm:csv-kit@constructor', 'npm:csv-kit@^1']) {
      const ran = await place.cuervo(['plugin', 'install', source, '--yes'], {
        env: { ...env(place), npm_config_registry: registry.url },
      });
      expect([ran.code, lastError(ran)]).toEqual([
        4,
        expect.stringContaining('it has no version at all'),
      ]);
    }
  });

  it('takes no other package for the one that was asked for', async () => {
    using place = openPlace();
    const version = { dist: { tarball: 'http://127.0.0.1/x.tgz', integrity: 'sha512-x' } };
    const text = JSON.stringify({ name: 'evil-kit', versions: { '1.0.0': version } });
    await using registry = await serve((_, response) => response.end(text));
    const ran = await place.cuervo(['plugin', 'install', 'npm:csv-kit', '--yes'], {
      env: { ...env(place), npm_config_registry: registry.url },
    });
    expect(lastError(ran)).toMatch(/answered with the package "evil-kit"/);
  });

  it.each([
    ['a page', '<!doctype html><p>Log in</p>', 'a web page'],
    ['nothing', '', 'nothing'],
    ['null', 'null', 'null, which is no'],
    ['a list', '[]', '[], which is no'],
    ['an object of something else', '{"error":"no"}', '{"error":"no"}, which is no'],
  ])('names the registry that answers %s, and what it answered', async (_, text, told) => {
    using place = openPlace();
    await using registry = await serve((_, response) => response.end(text));
    const from = registry.url.replace(/\/$/, '');
    for (const source of ['npm:csv-kit', `oci://${registry.host}/acme/csv-kit:1.0.0`]) {
      const asked = ['plugin', 'install', source, '--yes'];
      const ran = await place.cuervo(asked, {
        env: { ...env(place), npm_config_registry: registry.url },
      });
      expect(lastError(ran)).toContain(`${from} answered with ${told}`);
      expect(ran.stderr).not.toContain('<p>');
    }
    expect(await listed(place)).toEqual([]);
  });

  it('runs no script of a package and brings nothing that it depends on', async () => {
    using place = openPlace();
    const mark = join(place.dir, 'ran');
    const scripts = { postinstall: `touch ${mark}`, install: `touch ${mark}` };
    versions = {
      '1.0.0': { tarball: packed(kitOf('1'), { scripts, dependencies: { other: '*' } }) },
    };
    npm.asked.length = 0;
    expect((await install(place, 'npm:csv-kit')).code).toBe(0);
    expect(existsSync(mark)).toBe(false);
    expect(npm.asked).toEqual(['GET /csv-kit', 'GET /csv-kit/-/csv-kit-1.0.0.tgz']);
  });

  it('takes registry and token from the npm configuration, and sends the token nowhere else', async () => {
    using place = openPlace();
    const seen: (string | undefined)[] = [];
    const known = { '1.0.0': { tarball: packed(kitOf('1')) } };
    const answers = npmAnswers('csv-kit', () => known);
    await using closed = await serve((request, response, body) => {
      seen.push(request.headers.authorization);
      if (request.headers.authorization === undefined) return void response.writeHead(401).end();
      answers(request, response, body);
    });
    const ask = () =>
      place.cuervo(['plugin', 'install', 'npm:csv-kit', '--yes'], {
        env: { HOME: place.dir, XDG_CACHE_HOME: place.dir },
      });
    writeFileSync(join(place.dir, '.npmrc'), `registry=${closed.url}\n`);
    const refused = await ask();
    expect(twoLines(refused)).toEqual({
      error: `csv-kit of npm: ${closed.url.slice(0, -1)} asks for a login (401)`,
      hint: 'Log in with: npm login; or put a token into ~/.npmrc.',
    });
    writeFileSync(
      join(place.dir, '.npmrc'),
      `registry=${closed.url}\n//${closed.host}/:_authToken=T0ken\n`,
    );
    expect((await ask()).code).toBe(0);
    expect(seen.slice(1)).toEqual(['Bearer T0ken', 'Bearer T0ken']);
  });
});

describe('plugin install https:', () => {
  type Case = [string, (url: string) => Parameters<typeof serve>[0], RegExp];
  const cases: Case[] = [
    ['hangs', () => () => {}, /sent nothing for 0\.7 s/],
    [
      'stops in the middle',
      () => (_, response) => void response.writeHead(200, { 'content-length': 100 }).write('\0asm'),
      /sent nothing for 0\.7 s|was cut|could not be asked/,
    ],
    [
      'answers with a page',
      () => (_, response) =>
        void response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>'),
      /answered with a web page/,
    ],
    [
      'redirects to plain http',
      () => (_, response) =>
        void response.writeHead(302, { location: 'http://example.org/x.wasm' }).end(),
      /redirects to plain http/,
    ],
    [
      'redirects without an end',
      () => (_, response) => void response.writeHead(302, { location: '/again' }).end(),
      /more than 5 redirects/,
    ],
    [
      'announces more than fits',
      () => (_, response) => void response.writeHead(200, { 'content-length': 10 ** 12 }).end(),
      /limit \d+/,
    ],
    [
      'is gone',
      () => (_, response) => void response.writeHead(410).end(),
      /had it and removed it \(410\)/,
    ],
    [
      'was asked too often',
      () => (_, response) => void response.writeHead(429, { 'retry-after': '7' }).end(),
      /was asked too often \(429\)/,
    ],
    ['fails', () => (_, response) => void response.writeHead(503).end(), /failed \(503\)/],
    [
      'says nothing of use',
      () => (_, response) => void response.writeHead(204).end(),
      /without the thing itself \(204\)/,
    ],
    ['closes', () => (request) => void request.socket.destroy(), /could not be asked|closed/],
  ];
  it.each(cases)('says what a server does that %s', async (_, handler, error) => {
    using place = openPlace();
    await using server = await serve(handler(''));
    const ran = await place.cuervo(['plugin', 'install', `${server.url}x.wasm`, '--yes'], {
      env: {
        ...env(place),
        npm_config_fetch_timeout: /sent nothing/.test(`${error}`) ? '700' : '30000',
      },
    });
    expect(lastError(ran)).toMatch(error);
    expect(await listed(place)).toEqual([]);
  });

  it('installs from any server, goes on where it was cut off, and finds the bundle beside it', async () => {
    using place = openPlace();
    const wasm = kitOf('1');
    const bundle = JSON.stringify(await sigstore.attest(wasm));
    let cut = true;
    await using server = await serve(({ url, headers }, response) => {
      if (url === '/kit-1.0.0.wasm.sigstore.json') return void response.end(bundle);
      if (url !== '/kit-1.0.0.wasm') return void response.writeHead(404).end();
      const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
      const rest = wasm.subarray(from);
      response.writeHead(from > 0 ? 206 : 200, {
        etag: '"one"',
        'content-length': rest.length,
        ...(from > 0 ? { 'content-range': `bytes ${from}-${wasm.length - 1}/${wasm.length}` } : {}),
      });
      if (!cut) return void response.end(rest);
      response.write(rest.subarray(0, 100), () => response.socket?.end());
    });
    writeFileSync(join(place.dir, 'root.json'), sigstore.root);
    expect((await run(place, 'plugin', 'trust', '--root', join(place.dir, 'root.json'))).code).toBe(
      0,
    );
    expect((await install(place, `${server.url}kit-1.0.0.wasm`)).code).toBe(7);
    expect(readdirSync(join(place.home, 'downloads'))).toHaveLength(2);
    cut = false;
    const ran = await install(place, `${server.url}kit-1.0.0.wasm`);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain('by      github:acme/csv-kit/.github/workflows/publish.yml');
    expect(readdirSync(join(place.home, 'downloads'))).toEqual([]);
    expect(await answer(place)).toBe('1');
  });
});

describe('who made it', () => {
  const trusting = async (): Promise<Place> => {
    const place = openPlace();
    writeFileSync(join(place.dir, 'root.json'), sigstore.root);
    await run(place, 'plugin', 'trust', '--root', join(place.dir, 'root.json'));
    return place;
  };
  const signed = async (wasm: Buffer, signer = {}): Promise<PublishedVersion> => {
    const bytes = packed(wasm);
    return {
      tarball: bytes,
      bundles: [await sigstore.attest(bytes, { algorithm: 'sha512', ...signer })],
    };
  };

  it('shows the identity of npm’s provenance, pins it, and refuses another one and none', async () => {
    using place = await trusting();
    versions = { '1.0.0': await signed(kitOf('1')) };
    const first = await install(place, 'npm:csv-kit', '--json');
    expect(first.stderr).toContain('built it from https://github.com/acme/csv-kit');
    expect(first.rows[0]?.identity).toMatchObject({
      text: 'github:acme/csv-kit/.github/workflows/publish.yml',
    });

    const refused = async (version: PublishedVersion, named: string) => {
      versions = { '1.1.0': version };
      const ran = await install(place, 'npm:csv-kit');
      expect(ran.code).toBe(3);
      expect(lastError(ran)).toContain(
        'csv-kit was by github:acme/csv-kit/.github/workflows/publish.yml from npm:csv-kit',
      );
      expect(lastError(ran)).toContain(named);
      expect(await answer(place)).toBe('1');
    };
    await refused({ tarball: packed(kitOf('2')) }, 'this one is not signed');
    await refused(
      await signed(kitOf('2'), { repository: 'acrne/csv-kit' }),
      'this one is by github:acrne/csv-kit/',
    );
    await refused(
      await signed(kitOf('2'), { repositoryId: '202' }),
      'of another repository of that name (number 202, before 101)',
    );

    const mallory = 'github:acrne/csv-kit/.github/workflows/publish.yml';
    expect((await run(place, 'plugin', 'trust', 'csv-kit', mallory)).stdout).toContain(
      'from now on',
    );
    versions = { '1.1.0': await signed(kitOf('2'), { repository: 'acrne/csv-kit' }) };
    expect((await install(place, 'npm:csv-kit')).code).toBe(0);
    expect(await answer(place)).toBe('2');
  });

  it('refuses a bundle of another artifact, and does not take it for unsigned', async () => {
    using place = await trusting();
    versions = { '1.0.0': { ...(await signed(kitOf('1'))), tarball: packed(kitOf('2')) } };
    const ran = await install(place, 'npm:csv-kit');
    expect(ran.code).toBe(6);
    expect(lastError(ran)).toContain(
      'it is signed, and the signature does not hold: the bundle is of another file',
    );
  });

  it('wants a signature where the configuration says so, which a project may ask for and not lift', async () => {
    using place = await trusting();
    versions = { '1.0.0': { tarball: packed(kitOf('1')) } };
    place.write({ 'cuervo.toml': '[plugins]\nrequire = "signed"\n' });
    const ran = await install(place, 'npm:csv-kit');
    expect(ran.code).toBe(3);
    expect(lastError(ran)).toContain('csv-kit of npm:csv-kit@1.0.0 is not signed');
    versions = { '1.0.0': await signed(kitOf('1')) };
    expect((await install(place, 'npm:csv-kit')).code).toBe(0);
    writeFileSync(join(place.home, 'config.toml'), '[plugins]\nrequire = "signed"\n');
    place.write({ 'cuervo.toml': '[plugins]\nrequire = "any"\n' });
    versions = { '2.0.0': { tarball: packed(kitOf('2')) } };
    expect((await install(place, 'npm:csv-kit', '--as', 'other')).code).toBe(3);
  });

  it('takes a key that the person trusts, and a file signed with another one only as itself', async () => {
    using place = openPlace({ 'kit.wasm': kitOf('1') });
    mkdirSync(place.home);
    writeFileSync(join(place.home, 'config.toml'), '[plugins]\nrequire = "signed"\n');
    const made = await run(place, 'plugin', 'sign', 'kit.wasm');
    const key = /ed25519:[\w-]{43}/.exec(made.stderr)?.[0] ?? '';
    const refused = await install(place, 'kit.wasm');
    expect([refused.code, lastError(refused)]).toEqual([
      3,
      expect.stringContaining(`signed with the key ${key}, which you do not trust`),
    ]);
    expect((await run(place, 'plugin', 'trust', key)).code).toBe(0);
    expect((await install(place, 'kit.wasm')).code).toBe(0);
    place.write({ 'kit.wasm': kitOf('2') });
    const other = await install(place, 'kit.wasm');
    expect([other.code, lastError(other)]).toEqual([
      6,
      expect.stringContaining('is of another file'),
    ]);
  });
});

describe('plugin update', () => {
  it('shows the difference, takes nothing without a yes, carries grants and goes back', async () => {
    using place = openPlace();
    versions = { '1.0.0': { tarball: packed(kitOf('1')) } };
    await install(place, 'npm:csv-kit');
    expect((await run(place, 'plugin', 'update')).stdout).toBe(
      'csv-kit 1.0.0 is what its source has\n',
    );
    await install(place, 'npm:csv-kit@1.0.0');
    expect((await run(place, 'plugin', 'update')).stdout).toBe(
      'csv-kit 1.0.0 is what its source has: npm:csv-kit@1.0.0 is one version; for newer ones: cuervo plugin install npm:csv-kit\n',
    );
    await install(place, 'npm:csv-kit');
    versions = { '1.1.0': { tarball: packed(kitOf('2')) } };
    const asked = await run(place, 'plugin', 'update', 'csv-kit');
    expect(asked.code).toBe(3);
    expect(asked.stderr).toContain('It replaces csv-kit 1.0.0 by 1.1.0: a newer version.');
    expect(asked.stderr).toContain('It now also wants: clock.');
    expect(asked.stderr).toMatch(/It now also imports: .*cuervo:host\/clock@0\.1\.0\./);
    expect(asked.stderr).toContain('Its tool count was "pure" and is "read".');
    expect(await answer(place)).toBe('1');
    const updated = await run(place, 'plugin', 'update', '--yes', '--json');
    expect(updated.rows).toEqual([
      { name: 'csv-kit', outcome: 'updated', from: '1.0.0', to: '1.1.0' },
    ]);
    expect(await answer(place)).toBe('2');
    // Nothing widened: it was granted nothing.
    expect((await run(place, 'run', 'csv-kit.count', '{}')).code).toBe(3);
    await run(place, 'plugin', 'grant', 'csv-kit', 'clock');

    expect((await run(place, 'plugin', 'rollback', 'csv-kit')).stdout).toBe(
      'csv-kit is 1.0.0 again; granted: nothing\n',
    );
    expect(await answer(place)).toBe('1');
    expect((await run(place, 'plugin', 'rollback', 'csv-kit')).stdout).toBe(
      'csv-kit is 1.1.0 again; granted: clock\n',
    );
    const wasm = await kit('1.2.0', 3, ['clock']);
    versions = { '1.2.0': { tarball: packed(wasm) } };
    expect((await run(place, 'plugin', 'update', '--yes')).stdout).toContain(
      'updated csv-kit from 1.1.0 to 1.2.0',
    );
    // What the new one still wants is carried over.
    expect((await run(place, 'run', 'csv-kit.count', '{}', '-q')).stdout.trim()).toBe('3');
    versions = {};
    const failed = await run(place, 'plugin', 'update');
    expect(failed.code).toBe(1);
    expect(failed.stdout).toContain('csv-kit stays at 1.2.0');
    expect(await answer(place)).toBe('3');
    const none = await run(place, 'plugin', 'rollback', 'nobody');
    expect(none.code).toBe(4);
  }, 120_000);
});

describe('plugin rollback', () => {
  it('gives back what a binary held that plugin install replaced, and plugin install does not', async () => {
    using place = openPlace();
    versions = {
      '1.0.0': { tarball: packed(kitOf('1')) },
      '1.1.0': { tarball: packed(kitOf('2')) },
    };
    await install(place, 'npm:csv-kit@1.1.0', '--grant', 'clock');
    await install(place, 'npm:csv-kit@1.0.0');
    const back = await run(place, 'plugin', 'rollback', 'csv-kit');
    expect(back.stdout).toBe('csv-kit is 1.1.0 again; granted: clock\n');
    expect(back.stderr).toContain(
      'Its updates come from npm:csv-kit@1.1.0 again; before from npm:csv-kit@1.0.0.',
    );
    expect((await run(place, 'run', 'csv-kit.count', '{}', '-q')).stdout.trim()).toBe('2');
    await install(place, 'npm:csv-kit@1.0.0');
    await install(place, 'npm:csv-kit@1.1.0');
    expect((await run(place, 'run', 'csv-kit.count', '{}')).code).toBe(3);
  }, 120_000);
});

describe('plugin update to a binary that was there before', () => {
  it('gives it only what the label said', async () => {
    using place = openPlace();
    versions = { '1.1.0': { tarball: packed(kitOf('2')) } };
    await install(place, 'npm:csv-kit', '--grant', 'clock');
    versions = { '1.0.0': { tarball: packed(kitOf('1')) } };
    await install(place, 'npm:csv-kit');
    versions = { '1.1.0': { tarball: packed(kitOf('2')) } };
    const updated = await run(place, 'plugin', 'update', '--yes');
    expect(updated.stderr).toContain('Granted now: nothing');
    expect((await run(place, 'run', 'csv-kit.count', '{}')).code).toBe(3);
  }, 120_000);
});

describe('plugin update to what is older', () => {
  it('is refused, and the older one is there for whoever names it', async () => {
    using place = openPlace();
    versions = { '1.1.0': { tarball: packed(kitOf('2')) } };
    await install(place, 'npm:csv-kit');
    versions = { '1.0.0': { tarball: packed(kitOf('1')) } };
    const ran = await run(place, 'plugin', 'update', '--yes');
    expect([ran.code, ran.stdout]).toEqual([
      1,
      expect.stringContaining('npm:csv-kit has 1.0.0 now, older than csv-kit 1.1.0'),
    ]);
    expect(ran.stderr).toContain('cuervo plugin install npm:csv-kit@1.0.0');
    expect(await answer(place)).toBe('2');
    const named = await install(place, 'npm:csv-kit@1.0.0');
    expect(named.stderr).toContain('It replaces csv-kit 1.1.0 by 1.0.0: an older version.');
    expect(await answer(place)).toBe('1');
  });
});

describe('plugins.lock of a home', () => {
  it.each<[string, (text: string) => string, RegExp]>([
    [
      'a mark of a conflict',
      (text) => `<<<<<<< HEAD\n${text}=======\n${text}>>>>>>> theirs\n`,
      /plugins\.lock line 1 is a mark of a merge conflict/,
    ],
    [
      'a newer version',
      (text) => text.replace('"lockVersion": 1', '"lockVersion": 2'),
      /plugins\.lock was written by a newer cuervo/,
    ],
    [
      'a field that somebody wrote by hand',
      (text) => text.replace('"name": "csv-kit"', '"name": "Csv Kit"'),
      /plugins\.lock has a wrong "plugins\.0\.name"/,
    ],
  ])('with %s is named, and neither read as empty nor written over', async (_, change, error) => {
    using place = openPlace({ 'a.wasm': kitOf('1'), 'b.wasm': kitOf('2') });
    await install(place, 'a.wasm');
    const path = join(place.home, 'plugins.lock');
    const whole = readFileSync(path, 'utf8');
    const changed = change(whole);
    expect(changed).not.toBe(whole);
    writeFileSync(path, changed);
    for (const args of [
      ['plugin', 'list'],
      ['run', 'csv-kit.count', '{}'],
      ['plugin', 'install', 'b.wasm', '--yes', '--replace'],
      ['plugin', 'remove', 'csv-kit'],
    ]) {
      const ran = await run(place, ...args);
      expect([args, ran.code, lastError(ran)]).toEqual([args, 6, expect.stringMatching(error)]);
    }
    expect(readFileSync(path, 'utf8')).toBe(changed);
    writeFileSync(path, whole);
    expect(await answer(place)).toBe('1');
  });
});

describe('plugins.lock of a project', () => {
  it('brings the very binaries to another home, without a network, and grants and pins nothing', async () => {
    using place = openPlace();
    versions = { '1.0.0': { tarball: packed(kitOf('1')) } };
    const made = await install(place, 'npm:csv-kit', '--project');
    expect(made.code).toBe(0);
    const lock = readFileSync(join(place.work, 'plugins.lock'), 'utf8');
    expect(JSON.parse(lock).plugins).toEqual([
      {
        ...{
          name: 'csv-kit',
          version: '1.0.0',
          source: 'npm:csv-kit',
          resolved: 'npm:csv-kit@1.0.0',
        },
        sha256: createHash('sha256').update(kitOf('1')).digest('hex'),
        ...{ imports: [], wants: [], tools: [{ name: 'count', effect: 'pure' }] },
      },
    ]);
    versions = {};
    const other = join(place.dir, 'other');
    const locked = (...more: string[]) =>
      place.cuervo(['plugin', 'install', '--locked', ...more], { home: other, env: env(place) });
    const unasked = await locked();
    expect([unasked.code, unasked.stderr.includes('it is not signed')]).toEqual([3, true]);
    expect((await locked('--yes')).stdout).toContain('installed csv-kit 1.0.0');
    expect((await locked('--yes')).stdout).toBe('csv-kit 1.0.0 is already there\n');
    expect(existsSync(join(other, 'grants.toml'))).toBe(false);

    // A flipped byte in the cache is not taken; without a network there is nothing else.
    const [digest = ''] = readdirSync(join(place.dir, 'cache/cuervo/plugins'));
    const kept = join(place.dir, 'cache/cuervo/plugins', digest, 'carrier');
    const bytes = readFileSync(kept);
    bytes[200] = (bytes[200] as number) ^ 1;
    writeFileSync(kept, bytes);
    rmSync(other, { recursive: true });
    const flipped = await locked('--yes');
    expect([flipped.code, flipped.stdout]).toEqual([4, '']);
    expect(lastError(flipped)).toContain(`the copy of it in ${dirname(kept)} is damaged`);
    // The source gives another binary than was locked.
    versions = { '1.0.0': { tarball: packed(kitOf('2')) } };
    const moved = await locked('--yes');
    expect([moved.code, lastError(moved)]).toEqual([
      6,
      expect.stringMatching(/gives [0-9a-f]{12}…, and the lock says/),
    ]);
  });

  const entry = {
    name: 'csv-kit',
    version: '1.0.0',
    source: './kit.wasm',
    imports: [],
    wants: [],
    tools: [],
  };
  const whole = (more: object): string =>
    JSON.stringify(
      { lockVersion: 1, plugins: [{ ...entry, sha256: '0'.repeat(64), ...more }] },
      null,
      2,
    );
  it.each([
    [
      'a mark of a conflict',
      `{\n<<<<<<< HEAD\n"a": 1\n=======\n>>>>>>> x\n}`,
      /line 2 is a mark of a merge conflict/,
    ],
    ['a newer version', '{"lockVersion": 2, "plugins": []}', /written by a newer cuervo/],
    ['no JSON', '{"lockVersion": 1,', /is not JSON/],
    ['a field that is wrong', whole({ sha256: 'x' }), /plugins\.0\.sha256/],
    ['control characters', whole({ source: 'a\u001b[2J' }), /plugins\.0\.source/],
    [
      'one plugin twice',
      JSON.stringify({
        lockVersion: 1,
        plugins: [JSON.parse(whole({})).plugins[0], JSON.parse(whole({})).plugins[0]],
      }),
      /names a plugin a second time/,
    ],
    [
      'another source than that of its binary',
      whole({ source: 'npm:other-kit', resolved: 'npm:csv-kit@1.0.0' }),
      /says that it is from npm:other-kit, and also from npm:csv-kit@1\.0\.0/,
    ],
    [
      'a file in place of a version',
      whole({ source: 'npm:csv-kit', resolved: '/etc/passwd' }),
      /from npm:csv-kit, and also from \/etc\/passwd/,
    ],
    ['another digest', whole({}), /gives [0-9a-f]{12}…, and the lock says 0{12}…/],
    [
      'another name',
      whole({ name: 'other', sha256: 'KIT' }),
      /calls it other, and the binary says csv-kit/,
    ],
    [
      'fewer tools',
      whole({ tools: [], sha256: 'KIT' }),
      /gives it the tools nothing, and the binary says count \(pure\)/,
    ],
    [
      'another version',
      whole({ version: '7.0.0', sha256: 'KIT' }),
      /gives it version 7\.0\.0, and the binary says 1\.0\.0/,
    ],
  ])('is refused with %s', async (_, text, error) => {
    const digest = createHash('sha256').update(kitOf('1')).digest('hex');
    using place = openPlace({
      'kit.wasm': kitOf('1'),
      'plugins.lock': text.replace('KIT', digest),
    });
    const ran = await run(place, 'plugin', 'install', '--locked', '--yes');
    expect(ran.code).toBe(6);
    expect(lastError(ran)).toMatch(error);
    expect(ran.stderr).not.toContain('\u001b[2J');
    expect(await listed(place)).toEqual([]);
  });
});

describe('names', () => {
  it('refuses a second plugin of a name with both sources, and offers another name', async () => {
    using place = openPlace({ 'a.wasm': kitOf('1'), 'b.wasm': kitOf('2') });
    await install(place, 'a.wasm');
    const ran = await install(place, 'b.wasm');
    expect(ran.code).not.toBe(0);
    expect(lastError(ran)).toBe(
      `there is a plugin "csv-kit" already, from ${join(place.work, 'a.wasm')}; this one is from ${join(place.work, 'b.wasm')}`,
    );
    expect(ran.stderr).toContain('--as my-csv-kit');
    expect((await install(place, 'b.wasm', '--as', 'csv-kit-1')).stdout).toContain(
      'csv-kit-1.count',
    );
    // An exact name wins, whatever else begins so.
    expect(await answer(place)).toBe('1');
    expect(await answer(place, 'csv-kit-1.count')).toBe('2');
    expect((await install(place, 'b.wasm', '--replace')).stdout).toContain(
      'installed csv-kit 1.1.0',
    );
    expect(await answer(place)).toBe('2');
  });

  it('points out a name that could be taken for another', async () => {
    using place = openPlace({ 'a.wasm': kitOf('1') });
    const builtin = await install(place, 'a.wasm', '--as', 'searoh');
    expect(builtin.stderr).toContain('Its name looks like that of the built-in plugin search.');
    await install(place, 'a.wasm');
    const other = await install(place, 'a.wasm', '--as', 'csv-klt');
    expect(other.stderr).toContain('Its name looks like csv-kit, which is installed.');
    expect((await install(place, 'a.wasm', '--as', 'weather')).stderr).not.toContain('looks like');
  });

  it('takes the same file again, and leaves the old one when an install is refused', async () => {
    using place = openPlace({ 'a.wasm': kitOf('1') });
    const [first, other] = ['a.wasm', 'copy.wasm'].map((name) => join(place.work, name));
    expect((await install(place, 'a.wasm')).stderr).not.toContain('Its updates come');
    copyFileSync(join(place.work, 'a.wasm'), join(place.work, 'copy.wasm'));
    const moved = await install(place, 'copy.wasm');
    expect(moved.code).toBe(0);
    expect(moved.stderr).toContain(
      `Its updates come from ${other} from now on; before from ${first}.`,
    );
    expect((await install(place, 'copy.wasm')).stderr).not.toContain('Its updates come');
    place.write({ 'copy.wasm': 'not wasm' });
    expect((await install(place, 'copy.wasm')).code).toBe(6);
    expect(await answer(place)).toBe('1');
  });
});

describe('plugin publish', () => {
  it('sends no binary that is older than its sources', async () => {
    using place = openPlace({ 'p/plugin.js': '', 'p/dist/csv-kit.wasm': kitOf('1') });
    const dry = () => run(place, 'plugin', 'publish', 'p', 'npm', '--dry-run');
    const at = (path: string, seconds: number) =>
      utimesSync(join(place.work, path), seconds, seconds);
    at('p/plugin.js', 1_000);
    expect((await dry()).stdout).toContain('npm:csv-kit@1.0.0');
    at('p/dist/csv-kit.wasm', 999);
    const stale = await dry();
    expect([stale.code, lastError(stale)]).toEqual([
      8,
      'plugin.js is newer than dist/csv-kit.wasm',
    ]);
    expect(stale.stderr).toContain('cuervo plugin build p');
    const old = 'plugin.js is newer than dist/csv-kit.wasm: build it with cuervo plugin build';
    const tried = () => run(place, 'run', '--plugin', 'p', 'nosuch');
    expect((await tried()).stderr).toContain(`note: ${old}`);
    const label = (await run(place, 'plugin', 'inspect', 'p')).stdout;
    expect(label.replace(/\s+/g, ' ')).toContain(old);
    at('p/dist/csv-kit.wasm', 1_001);
    expect((await tried()).stderr).not.toContain('newer');
  });
});
