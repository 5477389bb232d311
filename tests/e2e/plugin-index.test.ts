import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { watGuest } from '../escape/support/wat-plugin.ts';
import { serve } from '../support/open-plugin-servers.ts';
import { openPlace } from '../support/place.ts';
import { program } from '../support/run-cuervo.ts';

const kit = async (version: string, value: number): Promise<Buffer> =>
  readFileSync(
    await watGuest({
      ...{ name: 'csv-kit', version, tools: [{ name: 'count', effect: 'pure' as const }] },
      call: `(call $ok-number (i32.const ${value}))`,
    }),
  );

/** What `plugin search` says where an index answers so, and no registry does. */
async function searched(index: string): Promise<{ stdout: string; stderr: string }> {
  await using server = await serve((_, response) => void response.writeHead(200).end(index));
  using place = openPlace();
  mkdirSync(place.home, { recursive: true, mode: 0o700 });
  const config = `[plugins]\nindexes = ["${server.url}index.json"]\n`;
  writeFileSync(join(place.home, 'config.toml'), config, { mode: 0o600 });
  return await place.cuervo(['plugin', 'search', 'csv'], {
    env: {
      HOME: place.dir,
      npm_config_registry: 'http://127.0.0.1:9/',
      npm_config_fetch_retries: '0',
    },
  });
}

const entry = { name: 'csv-kit', source: 'npm:csv-kit', description: 'Queries CSV files.' };
const indexOf = (plugins: readonly object[]) => JSON.stringify({ cuervoIndex: 1, plugins });

describe('an index of plugins', () => {
  it('is searched, and gives a terminal nothing to obey', async () => {
    expect((await searched(indexOf([entry]))).stdout).toMatch(
      /^csv-kit {3}npm:csv-kit\n {2}Queries CSV files\.\n$/,
    );
    const odd = {
      name: 'csv\u001b[2J',
      source: 'npm:x\u001b]0;y\u0007',
      description: 'csv\r\u001b[1A',
    };
    const { stdout, stderr } = await searched(indexOf([odd]));
    for (const control of ['\u001b', '\u0007', '\r'])
      expect(stdout + stderr).not.toContain(control);
    expect(stdout).toContain('csv');
  });

  it.each([
    ['no JSON', 'index', /index \S+ answered with index, which is no JSON/],
    ['a page', '<!doctype html>', /index \S+ answered with a web page/],
    ['null', 'null', /index \S+ answered with null, which is no index/],
    ['no index', '{"plugins": []}', /answered with {"plugins": \[\]}, which is no index/],
    ['a newer one', '{"cuervoIndex": 2}', /has a wrong "cuervoIndex"/],
    ['a wrong field', indexOf([{ ...entry, source: 1 }]), /has a wrong "plugins\.0\.source"/],
    [
      'a name of 10,000 letters',
      indexOf([{ ...entry, name: 'a'.repeat(10_000) }]),
      /has a wrong "plugins\.0\.name"/,
    ],
  ])('is named where it is %s', async (_, index, error) => {
    const { stdout, stderr } = await searched(index);
    expect(stdout).toBe('');
    expect(stderr).toMatch(error);
  });
});

describe('what is killed', () => {
  it.each([
    ['an install', ['plugin', 'install', 'two.wasm', '--yes', '--replace']],
    ['an update', ['plugin', 'update', '--yes']],
  ])(
    'leaves the plugin that was there, or the new one, and works the next time: %s',
    async (_, words) => {
      const [one, two] = [await kit('1.0.0', 1), await kit('1.1.0', 2)];
      using place = openPlace({ 'one.wasm': one, 'two.wasm': two });
      expect(await place.cuervo(['plugin', 'install', 'one.wasm', '--yes'])).toMatchObject({
        code: 0,
      });
      // What an update finds at its source.
      place.write({ 'one.wasm': two });
      const whole = await place.cuervo(['run', 'csv-kit.count', '{}']);
      expect(whole.stdout).toBe('1\n');
      const args = [program, ...words];
      const env = { ...process.env, CUERVO_HOME: place.home };
      // At its start, while it prepares the binary, and when it shows the label, before it stores it.
      for (const mark of ['', 'staging', 'sha256']) {
        const child = spawn(process.execPath, args, {
          cwd: place.work,
          env,
          stdio: ['ignore', 'ignore', 'pipe'],
        });
        const ended = once(child, 'close');
        if (mark === 'sha256') {
          for await (const piece of child.stderr) if (String(piece).includes(mark)) break;
        } else if (mark === 'staging') {
          const isStaged = () =>
            readdirSync(join(place.home, 'plugins')).some((name) => name.startsWith('.staging'));
          while (child.exitCode === null && !isStaged()) await new Promise(setImmediate);
        }
        child.kill('SIGKILL');
        await ended;
        const { stdout, code } = await place.cuervo(['run', 'csv-kit.count', '{}']);
        expect({ mark, code, stdout }).toEqual({
          mark,
          code: 0,
          stdout: expect.stringMatching(/^[12]\n$/),
        });
        if (mark !== 'sha256') expect(stdout).toBe('1\n');
      }
      expect(await place.cuervo(words)).toMatchObject({ code: 0 });
      expect((await place.cuervo(['run', 'csv-kit.count', '{}'])).stdout).toBe('2\n');
    },
    180_000,
  );
});
