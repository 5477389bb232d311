import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { openPlace, type Place } from '../support/place.ts';
import { program } from '../support/run-cuervo.ts';

const inspector = join(
  process.env.CUERVO_TEST_TOOLS ?? '',
  'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
);
const lacks = existsSync(inspector) ? '' : ' (lacks @modelcontextprotocol/inspector)';

/** The inspector's command line, with `cuervo mcp serve` as its server on standard input. */
async function inspect(place: Place, era: string, only: string, ...args: readonly string[]) {
  const { home, work } = place;
  const serve = ['mcp', 'serve', '--workspace', work, '--tools', only];
  const server = [process.execPath, program, ...serve];
  const flags = ['--protocol-era', era, '-e', `CUERVO_HOME=${home}`];
  const child = spawn(process.execPath, [inspector, '--cli', ...flags, ...server, ...args], {
    cwd: place.dir,
    env: { PATH: process.env.PATH ?? '', HOME: place.dir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => child.once('close', resolve)),
  ]);
  return { code, stdout, stderr };
}

describe.skipIf(lacks !== '').each(['legacy', 'modern'])(
  `the inspector's command line of the %s era${lacks}`,
  (era) => {
    it('lists all tools, and finds no error in what they say of themselves', async () => {
      using place = openPlace();
      mkdirSync(place.home, { mode: 0o700 });
      writeFileSync(join(place.home, 'config.toml'), '[mcp]\ndirect-tools = 500\n');
      const listed = await inspect(place, era, '*', '--method', 'tools/list', '--strict');
      expect([listed.code, listed.stderr]).toEqual([0, expect.stringContaining('0 errors')]);
      const { tools } = JSON.parse(listed.stdout) as { tools: { name: string }[] };
      const names = tools.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(['ask', 'file_read', 'search_grep', 'undo']));
    });

    it('calls a tool, and reads why another call is denied', async () => {
      using place = openPlace({ 'a.txt': 'the heron\n' });
      const method = ['--method', 'tools/call'];
      const call = (name: string, ...input: string[]) =>
        inspect(place, era, 'file.*', ...method, '--tool-name', name, '--tool-arg', ...input);
      const read = await call('file_read', 'path=a.txt');
      expect([read.code, read.stdout]).toEqual([0, expect.stringContaining('the heron')]);
      const denied = await call('file_write', 'path=b.txt', 'text=b');
      expect([denied.code, denied.stdout]).toEqual([
        ...[5, expect.stringContaining('cuervo plugin grant file fs-write:work keeps it')],
      ]);
      expect(existsSync(join(place.work, 'b.txt'))).toBe(false);
    });
  },
);
