import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configKeys } from '../../src/config/parse-config.ts';
import { openPlace } from '../support/place.ts';

function placeWith(text: string) {
  const place = openPlace();
  mkdirSync(place.home, { mode: 0o700 });
  const file = join(place.home, 'config.toml');
  writeFileSync(file, text, { mode: 0o600 });
  return { place, file, now: () => readFileSync(file, 'utf8') };
}

describe('cuervo config', () => {
  it('sets, shows and takes out a key, and keeps comments and what was there before', async () => {
    const { place, file, now } = placeWith('# mine\nmodel = "a" # small\n');
    using _ = place;
    const set = await place.cuervo(['config', 'set', 'limits.call-timeout-ms', '60000']);
    expect(set).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('+call-timeout-ms = 60000'),
    });
    expect(now()).toBe('# mine\nmodel = "a" # small\n\n[limits]\ncall-timeout-ms = 60000\n');
    expect(readFileSync(`${file}.bak`, 'utf8')).toBe('# mine\nmodel = "a" # small\n');
    const get = await place.cuervo(['config', 'get', 'limits.call-timeout-ms', '--json']);
    expect(get.rows).toEqual([{ key: 'limits.call-timeout-ms', value: 60000 }]);
    await place.cuervo(['config', 'unset', 'limits.call-timeout-ms']);
    const list = await place.cuervo(['config', 'list']);
    expect(list.stdout).toBe('model = "a"\n');
    const gone = await place.cuervo(['config', 'get', 'limits.call-timeout-ms']);
    expect(gone).toMatchObject({ code: 4, stderr: expect.stringContaining('the default holds') });
  });

  it('begins a file, takes a bare word as text, and lists every key with what it takes', async () => {
    using place = openPlace();
    expect(await place.cuervo(['config', 'set', 'model', '4711'])).toMatchObject({ code: 0 });
    expect(readFileSync(join(place.home, 'config.toml'), 'utf8')).toBe('model = "4711"\n');
    const { rows } = await place.cuervo(['config', 'list', '--all', '--json']);
    expect(rows.map(({ key }) => key)).toEqual(configKeys().map(({ key }) => key));
    expect(rows).toContainEqual({ key: 'exec.sandbox', takes: 'os | none' });
  });

  it('writes to where a link leads', async () => {
    using place = openPlace();
    mkdirSync(place.home, { mode: 0o700 });
    writeFileSync(join(place.home, 'real.toml'), 'model = "a"\n', { mode: 0o600 });
    symlinkSync('real.toml', join(place.home, 'config.toml'));
    await place.cuervo(['config', 'set', 'model', 'b']);
    expect(readFileSync(join(place.home, 'real.toml'), 'utf8')).toBe('model = "b"\n');
  });

  it.each([
    ['limits.cal-timeout-ms', '1', 'Did you mean limits.call-timeout-ms?'],
    ['call-timeout-ms', '1', 'Did you mean limits.call-timeout-ms?'],
    ['limits', '1', 'is a table'],
    ['exec.sandbox', 'maybe', 'exec.sandbox'],
    ['limits.call-timeout-ms', 'soon', 'limits.call-timeout-ms'],
    ['limits.call-timeout-ms', '-1', 'limits.call-timeout-ms'],
    ['privacy.send', '["x"]', 'privacy.send'],
    ['jobs..every-minutes', '1', 'there is no key'],
    ['__proto__.x', '1', 'there is no key'],
  ])('refuses %s = %s and writes nothing', async (key, value, message) => {
    const { place, file, now } = placeWith('model = "a"\n');
    using _ = place;
    const ran = await place.cuervo(['config', 'set', key, value]);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
    expect(now()).toBe('model = "a"\n');
    expect(existsSync(`${file}.bak`)).toBe(false);
  });

  it.each([
    ['modle = "a"\n', '"modle" is not a key of the configuration (Did you mean model?)'],
    ['[limits]\ncall-timeout = 1\n', 'Did you mean limits.call-timeout-ms?'],
    ['model = \n', 'line 1'],
    ['model = "a"\nmodel = "b"\n', 'line 2'],
    ['model = 1\n', '"model"'],
    ['\0\0\0', 'line 1'],
  ])('names what is wrong in %j, and keeps the file', async (text, message) => {
    const { place, now } = placeWith(text);
    using _ = place;
    for (const args of [['list'], ['set', 'model-role', 'word']]) {
      const ran = await place.cuervo(['config', ...args]);
      expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
    }
    expect(now()).toBe(text);
  });
});
