import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openPlace, type Place } from '../support/place.ts';

const hook = join(import.meta.dirname, '../support/tell-scripts.mjs');

describe('code of the program', () => {
  it('is kept for a command, and taken the next time', async () => {
    using place = openPlace({ 'a.ts': 'export const retryLimit = 3;\n' });
    const first = await scriptsOf(place, ['ask', 'where is the retry limit set?']);
    expect(first.stdout).toContain('a.ts:1');
    expect(new Set(Object.values(first.scripts))).toEqual(new Set(['compiled']));
    const next = await scriptsOf(place, ['ask', 'where is the retry limit set?']);
    expect(next.stdout).toBe(first.stdout);
    expect(new Set(Object.values(next.scripts))).toEqual(new Set(['taken']));
  });

  it('has the functions of each command once', async () => {
    using place = openPlace({});
    mkdirSync(place.home, { mode: 0o700 });
    // What these call is not what the command does.
    for (const args of [
      ['tools', '--nosuch'],
      ['tools', '--help'],
    ])
      await place.cuervo(args, { ownProcess: true });
    for (const args of [['tools'], ['plugin', 'list'], ['tools', '--json'], ['plugin', 'list']])
      await scriptsOf(place, args);
    const [main = ''] = keptOf(place).filter((path) => path.includes('/main-'));
    expect(readFileSync(main, 'latin1').split('\n').at(-1)).toContain(
      '["","cuervo tools","cuervo plugin list"]',
    );
    expect(statSync(main).mode & 0o777).toBe(0o600);
  });

  it('is made anew where a file of it was changed or cut', async () => {
    using place = openPlace({});
    const { stdout } = await scriptsOf(place, ['tools']);
    const changes: ((content: Buffer) => Buffer)[] = [
      (content) => content.fill(content.readUInt8(4_000) ^ 1, 4_000, 4_001),
      (content) => content.fill(0, 20_000, 24_096),
      (content) => Buffer.concat([content.subarray(0, 9_000), content.subarray(10_000)]),
      (content) => content.subarray(0, content.length / 2),
      () => Buffer.alloc(0),
    ];
    for (const change of changes) {
      for (const path of keptOf(place)) writeFileSync(path, change(readFileSync(path)));
      const after = await scriptsOf(place, ['tools']);
      expect(after.stdout).toBe(stdout);
      expect(new Set(Object.values(after.scripts))).toEqual(new Set(['compiled']));
      const again = await scriptsOf(place, ['tools']);
      expect(new Set(Object.values(again.scripts))).toEqual(new Set(['taken']));
    }
  });

  it('is another for an engine with other flags', async () => {
    using place = openPlace({});
    for (const flags of ['', '--stack-trace-limit=5']) {
      const first = await scriptsOf(place, ['tools'], flags);
      expect(new Set(Object.values(first.scripts))).toEqual(new Set(['compiled']));
    }
    for (const flags of ['', '--stack-trace-limit=5']) {
      const next = await scriptsOf(place, ['tools'], flags);
      expect(new Set(Object.values(next.scripts))).toEqual(new Set(['taken']));
    }
  });

  it('is not taken from a folder that somebody else chose', async () => {
    using place = openPlace({});
    await scriptsOf(place, ['tools']);
    const library = pathToFileURL(join(import.meta.dirname, '../../dist/index.cjs')).href;
    const told = join(place.dir, 'scripts.json');
    const env = {
      ...process.env,
      NODE_COMPILE_CACHE: join(place.home, 'compiled'),
      TELL_SCRIPTS: told,
    };
    const args = [`--import=${hook}`, '--input-type=module', '--eval', `import '${library}';`];
    execFileSync(process.execPath, args, { env });
    const scripts = JSON.parse(readFileSync(told, 'utf8')) as Record<string, string>;
    expect(new Set(Object.values(scripts))).toEqual(new Set(['compiled']));
  });

  it('of the last two other builds stays, and that of older ones goes', async () => {
    using place = openPlace({});
    await scriptsOf(place, ['tools']);
    const [path = ''] = keptOf(place);
    const folder = join(path, '..');
    for (const build of ['aaaaaaaaaaaa', 'bbbbbbbbbbbb', 'cccccccccccc']) {
      for (const part of ['main', 'core'])
        writeFileSync(join(folder, `${part}-${build}.js.code`), 'old');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    // A command that loads what none loaded before.
    await scriptsOf(place, ['doctor']);
    const left = readdirSync(folder).filter((name) => /a{12}|b{12}|c{12}/.test(name));
    expect(left.sort()).toEqual([
      'core-bbbbbbbbbbbb.js.code',
      'core-cccccccccccc.js.code',
      'main-bbbbbbbbbbbb.js.code',
      'main-cccccccccccc.js.code',
    ]);
  });
});

/** The files of code in a home. */
function keptOf(place: Place): string[] {
  const folder = join(place.home, 'compiled');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.code'))
    .map((path) => join(folder, path));
}

async function scriptsOf(
  place: Place,
  args: readonly string[],
  flags = '',
): Promise<{ stdout: string; scripts: Record<string, string> }> {
  mkdirSync(place.home, { recursive: true, mode: 0o700 });
  const told = join(place.dir, 'scripts.json');
  const env = { NODE_OPTIONS: `--import=${hook} ${flags}`, TELL_SCRIPTS: told };
  const { code, stdout } = await place.cuervo(args, { env, ownProcess: true });
  expect(code).toBe(0);
  return { stdout, scripts: JSON.parse(readFileSync(told, 'utf8')) };
}
