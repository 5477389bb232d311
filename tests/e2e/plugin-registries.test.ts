import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { watGuest } from '../escape/support/wat-plugin.ts';
import { openMockSigstore } from '../support/mock-sigstore.ts';
import { serve } from '../support/open-plugin-servers.ts';
import { openPlace, type Place } from '../support/place.ts';
import {
  hasDockerRegistry,
  hasVerdaccio,
  openDockerRegistry,
  openVerdaccio,
} from '../support/real-registries.ts';
import type { Ran } from '../support/run-cuervo.ts';

const guest = async (version: string, value: number): Promise<Buffer> =>
  readFileSync(
    await watGuest({
      ...{ name: 'csv-kit', version, tools: [{ name: 'count', effect: 'pure' }] },
      call: `(call $ok-number (i32.const ${value}))`,
    }),
  );
let one: Buffer;
let two: Buffer;
beforeAll(async () => {
  one = await guest('1.0.0', 1);
  two = await guest('1.1.0', 2);
});

const run = (place: Place, args: string[], more: Record<string, string> = {}): Promise<Ran> =>
  place.cuervo(args, {
    env: {
      HOME: place.dir,
      XDG_CACHE_HOME: join(place.dir, 'cache'),
      npm_config_fetch_timeout: '30000',
      ...more,
    },
  });
const lastError = ({ stderr }: Ran): string => /^error: (.+)$/m.exec(stderr)?.[1] ?? stderr;
const digestOf = (bytes: Uint8Array): string =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/** A registry with the API of referrers, which Debian's does not have. */
function artifact(wasm: Buffer, layers: object[] = []) {
  const config = Buffer.from('{}');
  const manifest = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      config: {
        mediaType: 'application/vnd.wasm.config.v0+json',
        digest: digestOf(config),
        size: 2,
      },
      layers:
        layers.length > 0
          ? layers
          : [{ mediaType: 'application/wasm', digest: digestOf(wasm), size: wasm.length }],
      annotations: { 'org.opencontainers.image.version': '1.0.0' },
    }),
  );
  return {
    manifest,
    blobs: new Map([
      [digestOf(wasm), wasm],
      [digestOf(config), config],
    ]),
  };
}

describe('plugin install oci://', () => {
  it.each(['the API of referrers', 'the tag in its place'])(
    'finds the bundle by %s, and refuses another publisher',
    async (way) => {
      using place = openPlace();
      const sigstore = await openMockSigstore();
      writeFileSync(join(place.dir, 'root.json'), sigstore.root);
      await run(place, ['plugin', 'trust', '--root', join(place.dir, 'root.json')]);
      const { manifest, blobs } = artifact(one);
      let bundle = Buffer.from(JSON.stringify(await sigstore.attest(manifest)));
      const referrer = () =>
        Buffer.from(
          JSON.stringify({
            schemaVersion: 2,
            config: {
              mediaType: 'application/vnd.oci.empty.v1+json',
              digest: digestOf(Buffer.from('{}')),
              size: 2,
            },
            layers: [
              {
                mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
                digest: digestOf(bundle),
                size: bundle.length,
              },
            ],
          }),
        );
      const index = () =>
        Buffer.from(
          JSON.stringify({
            schemaVersion: 2,
            manifests: [
              {
                mediaType: 'application/vnd.oci.image.manifest.v1+json',
                digest: digestOf(referrer()),
                size: 1,
                artifactType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
              },
            ],
          }),
        );
      await using registry = await serve(({ url = '' }, response) => {
        const asked = url.replace('/v2/acme/csv-kit/', '');
        const hasApi = way === 'the API of referrers';
        const found =
          asked === 'manifests/1.0.0' || asked === `manifests/${digestOf(manifest)}`
            ? manifest
            : asked === `manifests/${digestOf(referrer())}`
              ? referrer()
              : asked === `blobs/${digestOf(bundle)}`
                ? bundle
                : asked ===
                    (hasApi
                      ? `referrers/${digestOf(manifest)}`
                      : `manifests/${digestOf(manifest).replace(':', '-')}`)
                  ? index()
                  : blobs.get(asked.replace('blobs/', ''));
        response.writeHead(found === undefined ? 404 : 200).end(found);
      });
      const source = `oci://${registry.host}/acme/csv-kit:1.0.0`;
      const ran = await run(place, ['plugin', 'install', source, '--yes', '--json']);
      expect(ran.stderr).toContain('by      github:acme/csv-kit/.github/workflows/publish.yml');
      expect(ran.rows).toMatchObject([
        { resolved: `oci://${registry.host}/acme/csv-kit@${digestOf(manifest)}` },
      ]);
      bundle = Buffer.from(
        JSON.stringify(await sigstore.attest(manifest, { repository: 'm/csv-kit' })),
      );
      const other = await run(place, ['plugin', 'install', source, '--yes']);
      expect([other.code, lastError(other)]).toEqual([
        3,
        expect.stringContaining('this one is by github:m/csv-kit/'),
      ]);
      bundle = Buffer.from(JSON.stringify(await sigstore.attest(two)));
      const foreign = await run(place, ['plugin', 'install', source, '--yes']);
      expect([foreign.code, lastError(foreign)]).toEqual([
        6,
        expect.stringContaining('the bundle is of another file'),
      ]);
    },
    120_000,
  );

  const list = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      manifests: [
        {
          mediaType: 'x',
          digest: `sha256:${'1'.repeat(64)}`,
          size: 1,
          platform: { os: 'linux\u001b[2J', architecture: 'amd64' },
        },
      ],
    }),
  );
  it.each<[string, () => { manifest: Buffer; blobs: Map<string, Buffer> }, RegExp]>([
    [
      'a list without WebAssembly',
      () => ({ manifest: list, blobs: new Map() }),
      /it is a list of linux\\x1b\[2J\/amd64, and none of it is WebAssembly/,
    ],
    [
      'two layers',
      () => {
        const layer = { mediaType: 'application/wasm', digest: digestOf(one), size: one.length };
        return artifact(one, [layer, layer]);
      },
      /it holds 2 layers of WebAssembly/,
    ],
    [
      'an image that runs in a container',
      () => {
        const layer = { mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip', size: 1 };
        const made = artifact(one, [{ ...layer, digest: digestOf(one) }]);
        const text = made.manifest
          .toString()
          .replaceAll('vnd.wasm.config.v0', 'vnd.oci.image.config.v1');
        return { ...made, manifest: Buffer.from(text) };
      },
      /none of its 1 layers is WebAssembly/,
    ],
    [
      'other bytes',
      () => {
        const made = artifact(one);
        made.blobs.set(digestOf(one), two);
        return made;
      },
      /gave \d+ other bytes than sha256:/,
    ],
    [
      'another size than it said',
      () => {
        const layer = {
          mediaType: 'application/wasm',
          digest: digestOf(one),
          size: one.length + 1,
        };
        return artifact(one, [layer]);
      },
      /gave \d+ bytes and said \d+/,
    ],
    [
      'a page',
      () => ({ manifest: Buffer.from('<!doctype html>'), blobs: new Map() }),
      /answered with a web page/,
    ],
  ])('refuses %s', async (_, make, error) => {
    using place = openPlace();
    const { manifest, blobs } = make();
    await using registry = await serve(({ url = '' }, response) => {
      const found = url.includes('/manifests/1.0.0')
        ? manifest
        : blobs.get(url.split('/').at(-1) ?? '');
      response.writeHead(found === undefined ? 404 : 200).end(found);
    });
    const ran = await run(place, [
      'plugin',
      'install',
      `oci://${registry.host}/acme/csv-kit:1.0.0`,
      '--yes',
    ]);
    expect(lastError(ran)).toMatch(error);
    expect(ran.code).toBe(6);
  });

  it('brings what the lock names after its tag was moved, and says where that is gone', async () => {
    using place = openPlace();
    const [old, next] = [artifact(one), artifact(two)];
    let isGone = false;
    await using registry = await serve(({ url = '' }, response) => {
      const asked = url.split('/').at(-1) ?? '';
      const byDigest = [old, next].find(({ manifest }) => asked === digestOf(manifest));
      const found = url.includes('/manifests/latest')
        ? (tagged?.manifest ?? undefined)
        : byDigest !== undefined && !(isGone && byDigest === old)
          ? byDigest.manifest
          : (old.blobs.get(asked) ?? next.blobs.get(asked));
      response.writeHead(found === undefined ? 404 : 200).end(found);
    });
    let tagged = old;
    const source = `oci://${registry.host}/acme/csv-kit`;
    expect(await run(place, ['plugin', 'install', source, '--yes', '--project'])).toMatchObject({
      code: 0,
    });
    tagged = next;
    const elsewhere = (home: string) =>
      place.cuervo(['plugin', 'install', '--locked', '--yes'], {
        home: join(place.dir, home),
        env: { HOME: place.dir, XDG_CACHE_HOME: join(place.dir, home, 'cache') },
      });
    expect((await elsewhere('other')).stdout).toContain('installed csv-kit 1.0.0');
    isGone = true;
    const gone = await elsewhere('third');
    expect([gone.code, lastError(gone)]).toEqual([4, expect.stringContaining('does not have it')]);
    // The tag alone gives the other one.
    expect((await run(place, ['plugin', 'update', '--yes'])).stdout).toContain('to 1.1.0');
  });

  it('logs in as docker does, and says how where it may not', async () => {
    using place = openPlace();
    const { manifest, blobs } = artifact(one);
    const asked: (string | undefined)[] = [];
    await using registry = await serve(({ url = '', headers }, response) => {
      if (url.startsWith('/token')) {
        asked.push(headers.authorization);
        const isMe = headers.authorization === `Basic ${Buffer.from('me:pw').toString('base64')}`;
        return void response.writeHead(isMe ? 200 : 401).end('{"token":"T"}');
      }
      if (headers.authorization !== 'Bearer T') {
        const realm = `http://${headers.host}/token`;
        return void response
          .writeHead(401, { 'www-authenticate': `Bearer realm="${realm}",service="r"` })
          .end();
      }
      const found = url.includes('/manifests/1.0.0')
        ? manifest
        : blobs.get(url.split('/').at(-1) ?? '');
      response.writeHead(found === undefined ? 404 : 200).end(found);
    });
    const install = ['plugin', 'install', `oci://${registry.host}/acme/csv-kit:1.0.0`, '--yes'];
    const refused = await run(place, install);
    expect(refused.code).toBe(3);
    expect(refused.stderr).toContain(`hint: Log in with: docker login ${registry.host}`);
    mkdirSync(join(place.dir, '.docker'));
    const auths = { [registry.host]: { auth: Buffer.from('me:pw').toString('base64') } };
    writeFileSync(join(place.dir, '.docker/config.json'), JSON.stringify({ auths }));
    expect((await run(place, install)).code).toBe(0);
    expect(asked).toHaveLength(2);
  });
});

describe('real registries on loopback', () => {
  it.skipIf(!hasVerdaccio)(
    'verdaccio (npm install --prefix $CUERVO_TEST_TOOLS verdaccio): publish, find, install, update',
    async () => {
      using place = openPlace({
        'csv-kit.wasm': one,
        'README.md': '# A page\n',
        LICENSE: 'Apache-2.0',
      });
      using registry = await openVerdaccio();
      writeFileSync(join(place.dir, '.npmrc'), registry.npmrc);
      const dry = await run(place, [
        'plugin',
        'publish',
        'csv-kit.wasm',
        'npm',
        '--dry-run',
        '--json',
      ]);
      const target = (dry.events[0] as unknown as { targets: { files: { name: string }[] }[] })
        .targets[0];
      expect(target?.files.map(({ name }) => name)).toEqual([
        'package.json',
        'csv-kit.wasm',
        'README.md',
        'LICENSE',
      ]);
      expect((await run(place, ['plugin', 'info', 'npm:csv-kit'])).code).toBe(4);
      const published = await run(place, ['plugin', 'publish', 'csv-kit.wasm', 'npm', '--yes']);
      expect([published.code, published.stdout]).toEqual([0, 'published npm:csv-kit@1.0.0\n']);
      const found = await run(place, ['plugin', 'search', 'csv-kit', '--json']);
      expect(found.rows).toMatchObject([{ name: 'csv-kit', source: 'npm:csv-kit' }]);
      const other = { ...place, home: join(place.dir, 'other') };
      const there = (args: string[]) =>
        place.cuervo(args, {
          home: other.home,
          env: { HOME: place.dir, XDG_CACHE_HOME: place.dir },
        });
      expect((await there(['plugin', 'install', 'npm:csv-kit', '--yes'])).code).toBe(0);
      expect((await there(['run', 'csv-kit.count', '{}', '-q'])).stdout).toBe('1\n');
      place.write({ 'csv-kit.wasm': two });
      expect((await run(place, ['plugin', 'publish', 'csv-kit.wasm', 'npm', '--yes'])).code).toBe(
        0,
      );
      expect((await there(['plugin', 'update', '--yes'])).stdout).toBe(
        'updated csv-kit from 1.0.0 to 1.1.0\n',
      );
      expect((await there(['run', 'csv-kit.count', '{}', '-q'])).stdout).toBe('2\n');
    },
    240_000,
  );

  it.skipIf(!hasDockerRegistry)(
    'docker-registry (apt-get install docker-registry): publish, install, a version that stays what it is',
    async () => {
      using place = openPlace({ 'csv-kit.wasm': one });
      using registry = await openDockerRegistry();
      const target = `oci://${registry.host}/acme/csv-kit`;
      const publish = () =>
        run(place, ['plugin', 'publish', 'csv-kit.wasm', target, '--yes'], {
          SOURCE_DATE_EPOCH: '1',
        });
      const published = await publish();
      expect([published.code, published.stdout]).toEqual([
        0,
        expect.stringContaining(`published ${target} sha256:`),
      ]);
      const manifest = (await (
        await fetch(`http://${registry.host}/v2/acme/csv-kit/manifests/1.0.0`, {
          headers: { accept: 'application/vnd.oci.image.manifest.v1+json' },
        })
      ).json()) as {
        config: { mediaType: string };
        layers: { mediaType: string; digest: string }[];
      };
      expect(manifest.config.mediaType).toBe('application/vnd.wasm.config.v0+json');
      expect(manifest.layers).toMatchObject([
        { mediaType: 'application/wasm', digest: digestOf(one) },
      ]);
      expect((await run(place, ['plugin', 'install', target, '--yes'])).code).toBe(0);
      // The same once more changes nothing; another binary of that version is refused.
      expect((await publish()).code).toBe(0);
      place.write({ 'csv-kit.wasm': await guest('1.0.0', 9) });
      const changed = await publish();
      expect(lastError(changed)).toBe(`${target}:1.0.0 is already there, with another binary`);
      place.write({ 'csv-kit.wasm': two });
      expect((await publish()).code).toBe(0);
      expect((await run(place, ['plugin', 'update', '--yes'])).stdout).toBe(
        'updated csv-kit from 1.0.0 to 1.1.0\n',
      );
      const pinned = await run(place, [
        'plugin',
        'install',
        `${target}:1.0.0`,
        '--as',
        'old',
        '--yes',
      ]);
      expect(pinned.stdout).toContain('installed old 1.0.0');
    },
    240_000,
  );
});

describe('plugin publish', () => {
  it('prints a workflow that builds twice, compares, attests and publishes', async () => {
    using place = openPlace({ 'csv-kit.wasm': one });
    const ran = await run(place, [
      'plugin',
      'publish',
      'csv-kit.wasm',
      'npm:@acme/csv-kit',
      'oci://ghcr.io/acme/csv-kit',
      '--workflow',
    ]);
    expect(ran.code).toBe(0);
    for (const line of [
      'cmp one.wasm two.wasm',
      'actions/attest-build-provenance@',
      'npm:@acme/csv-kit oci://ghcr.io/acme/csv-kit',
      'id-token: write',
      '-- --provenance',
    ])
      expect(ran.stdout).toContain(line);
  });

  it('publishes nothing that install would refuse, and nothing without a yes', async () => {
    using place = openPlace({ 'bad.wasm': 'text', 'csv-kit.wasm': one });
    expect((await run(place, ['plugin', 'publish', 'bad.wasm', 'npm', '--yes'])).code).toBe(6);
    const ran = await run(place, ['plugin', 'publish', 'csv-kit.wasm', 'npm']);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('"keywords"');
    const none = await run(place, ['plugin', 'publish', 'csv-kit.wasm']);
    expect(lastError(none)).toBe('no target is named');
  });
});
