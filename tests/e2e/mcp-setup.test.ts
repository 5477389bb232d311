import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { openPlace, type Place } from '../support/place.ts';

const clients = [
  ['claude-code', 'work/.mcp.json', '{"mcpServers":{"other":{"command":"x"}}}'],
  [
    'codex',
    'user/.codex/config.toml',
    '# mine\nmodel = "x"\n\n[mcp_servers.other]\ncommand = "x"\n',
  ],
  ['vscode', 'work/.vscode/mcp.json', '{\n    "servers": {}\n}\n'],
  ['zed', 'user/.config/zed/settings.json', '{"theme":"x"}'],
] as const;

/** A client's file is of the user, not of this home. */
const setup = (place: Place, ...words: string[]) =>
  place.cuervo(['mcp', 'setup', ...words], { env: { HOME: join(place.dir, 'user') } });

const read = (file: string, text: string): Record<string, unknown> =>
  file.endsWith('.toml') ? parse(text) : JSON.parse(text);

/** The table that holds cuervo's own, wherever it is. */
function serverIn(whole: unknown): unknown {
  const tables = Object.values(Object(whole)) as Record<string, unknown>[];
  return tables.map((table) => Object(table).cuervo).find((each) => each !== undefined);
}

describe.each(clients)('cuervo mcp setup %s', (name, path, old) => {
  it('prints what to put where, and writes nothing', async () => {
    using place = openPlace();
    const ran = await setup(place, name);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain(join(place.dir, path));
    expect(serverIn(read(path, ran.stdout))).toMatchObject({
      command: 'cuervo',
      args: ['mcp', 'serve'],
    });
    expect(existsSync(join(place.dir, path))).toBe(false);
  });

  it('writes it with --write beside what is there, once, and keeps the old file', async () => {
    using place = openPlace();
    const file = join(place.dir, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, old);
    const ran = await setup(place, name, '--write');
    expect(ran.code).toBe(0);
    expect(ran.stdout).toMatch(/^\+.*cuervo/m);
    const text = readFileSync(file, 'utf8');
    expect(read(path, text)).toMatchObject(read(path, old));
    expect(serverIn(read(path, text))).toMatchObject({ command: 'cuervo' });
    expect(readFileSync(`${file}.before-cuervo`, 'utf8')).toBe(old);
    expect((await setup(place, name, '--write')).stderr).toContain('already');
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('makes the file where there is none', async () => {
    using place = openPlace();
    expect((await setup(place, name, '--write')).code).toBe(0);
    expect(serverIn(read(path, readFileSync(join(place.dir, path), 'utf8')))).toBeDefined();
  });

  it('leaves a file that it cannot read, and a link, as they are', async () => {
    using place = openPlace();
    const file = join(place.dir, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '// a comment = [\n');
    expect(await setup(place, name, '--write')).toMatchObject({ code: 8 });
    expect(readFileSync(file, 'utf8')).toBe('// a comment = [\n');
    using other = openPlace();
    const link = join(other.dir, path);
    mkdirSync(dirname(link), { recursive: true });
    writeFileSync(join(other.dir, 'elsewhere'), old);
    symlinkSync(join(other.dir, 'elsewhere'), link);
    expect(await setup(other, name, '--write')).toMatchObject({ code: 8 });
    expect(readFileSync(join(other.dir, 'elsewhere'), 'utf8')).toBe(old);
  });
});

it('cuervo mcp setup names the clients that there are', async () => {
  using place = openPlace();
  const ran = await setup(place, 'claude');
  expect(ran.code).toBe(4);
  expect(ran.stderr).toContain('zed');
});
