import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundleServer, fixtureServer } from '../support/mcp-fixture.ts';
import { openPlace, type Place } from '../support/place.ts';
import { hasVerdaccio, openVerdaccio, type RealRegistry } from '../support/real-registries.ts';

const scripts = { postinstall: "node -e \"require('fs').writeFileSync('script-ran', '')\"" };

/** Publishes a server of npm, and a package that it needs; both have a script. */
async function publish(place: Place, registry: RealRegistry): Promise<void> {
  const packages = join(place.dir, 'packages');
  const npmrc = join(place.dir, 'npmrc');
  writeFileSync(npmrc, registry.npmrc);
  const own = {
    '@tries/needed': { scripts },
    '@tries/server': { scripts, bin: 'server.mjs', dependencies: { '@tries/needed': '1.0.0' } },
    '@tries/none': {},
  };
  for (const [name, more] of Object.entries(own)) {
    const folder = join(packages, name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ name, version: '1.0.0', ...more }),
    );
    if (name === '@tries/server') await bundleServer(fixtureServer, join(folder, 'server.mjs'));
    const ran = spawnSync('npm', ['publish', '--access', 'public', '--userconfig', npmrc], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(ran.status, ran.stderr).toBe(0);
  }
}

const run = (place: Place, tool: string, of: string) =>
  place.cuervo(['run', `tries.${tool}`, JSON.stringify({ of }), '--allow', `call:${tool}`]);

describe.skipIf(!hasVerdaccio)('cuervo mcp add NAME npm:PACKAGE', () => {
  it('installs a package without its scripts, bound read-only, and starts it from its lock', async () => {
    using place = openPlace({ 'a.txt': 'the heron\n' });
    using registry = await openVerdaccio();
    await publish(place, registry);
    const url = `http://${registry.host}/`;
    const add = (...words: readonly string[]) =>
      place.cuervo(['mcp', 'add', 'tries', '--yes', '--grant', 'fs:work', ...words], {
        env: { npm_config_registry: url },
      });

    const missing = await add('npm:@tries/nothing');
    expect([missing.code, missing.stderr]).toEqual([7, expect.stringContaining('404')]);
    const none = await add('npm:@tries/none');
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('has no program')]);
    expect((await add('npm:../x')).code).toBe(2);

    const added = await add('npm:@tries/server@1', 'Reads one file.');
    expect([added.code, added.stderr]).toEqual([
      0,
      expect.stringContaining(`installed from ${url}, without its scripts; lock `),
    ]);
    expect(added.stderr).toContain('npm:@tries/server@1.0.0 Reads one file.');
    const servers = join(place.home, 'servers');
    const packages = join(servers, 'tries/packages');
    for (const name of ['needed', 'server']) {
      expect(existsSync(join(packages, 'node_modules/@tries', name, 'package.json'))).toBe(true);
      expect(existsSync(join(packages, 'node_modules/@tries', name, 'script-ran'))).toBe(false);
    }
    const { lock } = JSON.parse((await place.cuervo(['mcp', 'show', 'tries', '--json'])).stdout)
      .definition.source;
    expect(lock).toMatch(/^[0-9a-f]{64}$/);

    expect((await run(place, 'read', '/roots/work/a.txt')).stdout).toContain('the heron');
    const own = join(packages, 'node_modules/@tries/server/package.json');
    expect((await run(place, 'read', own)).stdout).toContain('@tries/server');
    const written = await run(place, 'write', own);
    expect([written.code, written.stderr]).toEqual([1, expect.stringContaining('EROFS')]);
    const outside = await run(place, 'read', join(servers, 'tries/server.json'));
    expect([outside.code, outside.stderr]).toEqual([1, expect.stringContaining('ENOENT')]);

    const file = join(packages, 'package-lock.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('1.0.0', '1.0.1'));
    const changed = await run(place, 'read', '/roots/work/a.txt');
    expect([changed.code, changed.stderr]).toEqual([
      8,
      expect.stringContaining('are not as its lock says'),
    ]);
    expect((await place.cuervo(['mcp', 'remove', 'tries'])).code).toBe(0);
    expect(existsSync(packages)).toBe(false);
    // What was refused left no folder behind.
    rmSync(join(servers, 'tries'), { recursive: true, force: true });
    expect(spawnSync('ls', ['-A', servers], { encoding: 'utf8' }).stdout).toBe('');
  });
});
