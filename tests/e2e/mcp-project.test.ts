import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundleServer, fixtureServer } from '../support/mcp-fixture.ts';
import { openPlace } from '../support/place.ts';

const listOf = (servers: object): string => JSON.stringify({ mcpServers: servers });
const tries = {
  command: 'node',
  args: ['work:server.mjs'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it stands so in the file
  env: { GIVEN: 'given', OWN: '${OWN}' },
};

describe('.mcp.json of a project', () => {
  it('is shown, starts nothing, and is used after consent to what it said then', async () => {
    using place = openPlace({
      '.mcp.json': listOf({ Tries: tries, cuervo: { command: 'cuervo' } }),
    });
    await bundleServer(fixtureServer, join(place.work, 'server.mjs'));
    const listed = await place.cuervo(['mcp', 'list']);
    expect(listed).toMatchObject({ code: 0, stdout: '' });
    expect(listed.stderr).toContain(
      '.mcp.json names Tries, not used: node work:server.mjs --env GIVEN=given --env OWN',
    );
    expect(listed.stderr).not.toContain('names cuervo');
    expect((await place.cuervo(['tools', 'tries'])).code).toBe(4);

    const add = ['mcp', 'add', 'tries', '--project', 'Tries', '--grant', 'fs:work'];
    expect((await place.cuervo(add)).code).toBe(3);
    const added = await place.cuervo([...add, '--yes']);
    expect([added.code, added.stderr]).toEqual([
      0,
      expect.stringContaining('it gets the variables GIVEN=given, OWN (your value)'),
    ]);
    const run = (name: string) =>
      place.cuervo(
        ['run', 'tries.variable', JSON.stringify({ of: name }), '--allow', 'call:variable'],
        { env: { OWN: 'own' } },
      );
    expect((await run('GIVEN')).stdout).toContain('given');
    expect((await run('OWN')).stdout).toContain('own');
    expect((await place.cuervo(['mcp', 'list'])).stderr).not.toContain('.mcp.json');

    place.write({ '.mcp.json': listOf({ Tries: { ...tries, env: { GIVEN: 'taken' } } }) });
    expect((await place.cuervo(['mcp', 'list'])).stderr).toContain('names Tries, changed since');
    expect((await run('GIVEN')).stdout).toContain('given');
  });

  it('names in one sentence what of it cannot be used', async () => {
    using place = openPlace({
      '.mcp.json': listOf({
        headed: { type: 'http', url: 'https://mcp.example.org/mcp', headers: { a: 'b' } },
        none: {},
        odd: 7,
        // biome-ignore lint/suspicious/noTemplateCurlyInString: it stands so in the file
        put: { command: 'x', args: ['${HOME}/x'] },
        npx: { command: 'npx', args: ['-y', '@tries/server', 'work:'] },
      }),
    });
    const { stderr } = await place.cuervo(['mcp', 'list']);
    expect(stderr).toContain('not used: headed of .mcp.json: it has headers');
    expect(stderr).toContain('not used: none of .mcp.json: it has neither');
    expect(stderr).toContain('not used: odd of .mcp.json: it has neither');
    expect(stderr).toContain('not used: put of .mcp.json: variables are not put into');
    expect(stderr).toContain('.mcp.json names npx, not used: npm:@tries/server work:');
    const unknown = await place.cuervo(['mcp', 'add', 'x', '--project', 'nix', '--yes']);
    expect([unknown.code, unknown.stderr]).toEqual([4, expect.stringContaining('"nix"')]);
    expect((await place.cuervo(['mcp', 'add', 'x', '--yes'])).code).toBe(2);

    place.write({ '.mcp.json': '{ "mcpServers": [' });
    expect((await place.cuervo(['mcp', 'list'])).stderr).toContain('is no list of MCP servers');
    rmSync(join(place.work, '.mcp.json'));
    writeFileSync(join(place.dir, 'other.json'), listOf({ linked: { command: 'x' } }));
    symlinkSync('../other.json', join(place.work, '.mcp.json'));
    const linked = await place.cuervo(['mcp', 'list']);
    expect([linked.code, linked.stderr]).toEqual([0, expect.stringContaining('is a link')]);
  });
});
