import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { smallGguf } from '../fixtures/small-gguf.ts';
import { openHub } from '../support/open-hub.ts';
import { openPlace, type Place } from '../support/place.ts';
import type { Ran } from '../support/run-cuervo.ts';

const model = smallGguf({ floats: 250_000 });
const sha256 = createHash('sha256').update(model).digest('hex');
const name = 'tiny-Q4_K_M.gguf';
const address = 'hf:maker/tiny';

const pull = (place: Place, hub: { url: string }, ...more: string[]): Promise<Ran> =>
  place.cuervo(['model', 'pull', address, '--hub', hub.url, ...more]);

const pathIn = (place: Place, file = name): string =>
  join(place.home, 'models', 'maker', 'tiny', file);

describe('cuervo model pull', () => {
  it('shows source, size, licence and SHA-256, brings the file and keeps it by its name', async () => {
    using place = openPlace();
    await using hub = await openHub({ [name]: model });
    const ran = await pull(place, hub, '--yes');
    expect(ran).toMatchObject({ code: 0 });
    for (const line of [
      'source   hf:maker/tiny',
      `file     ${name}`,
      'size     1 MB',
      'licence  apache-2.0',
      `sha256   ${sha256}`,
      `goes to  ${pathIn(place)}`,
    ]) {
      expect(ran.stderr).toContain(line);
    }
    expect(ran.stdout).toContain(`tiny-q4_k_m is here: ${pathIn(place)}`);
    expect(readFileSync(pathIn(place)).equals(model)).toBe(true);
    expect(statSync(pathIn(place)).mode & 0o777).toBe(0o600);
    const listed = await place.cuervo(['model', 'list', '--json']);
    expect(JSON.parse(listed.stdout)).toMatchObject({
      model: 'tiny-q4_k_m',
      provider: 'llama',
      where: pathIn(place),
    });
    // It is there now, and is not brought again.
    hub.ranges.length = 0;
    const again = await pull(place, hub, '--yes', '--json');
    expect(JSON.parse(again.stdout)).toEqual({
      ...{ model: 'tiny-q4_k_m', path: pathIn(place), bytes: model.length, sha256 },
    });
    expect(hub.ranges).toEqual([]);
    const removed = await place.cuervo(['model', 'remove', 'tiny-q4_k_m', '--file']);
    expect(removed.stdout).toBe('forgot tiny-q4_k_m, and deleted its file\n');
    expect(existsSync(pathIn(place))).toBe(false);
  });

  it('brings nothing before somebody agreed', async () => {
    using place = openPlace();
    await using hub = await openHub({ [name]: model });
    const ran = await pull(place, hub);
    expect(ran).toMatchObject({ code: 2 });
    expect(ran.stderr).toContain('licence  apache-2.0');
    expect(ran.stderr).toContain('hint: Answer on the command line: --yes');
    expect(hub.ranges).toEqual([]);
    expect(existsSync(pathIn(place))).toBe(false);
  });

  it('goes on where it was cut off at every tenth, within one call', async () => {
    using place = openPlace();
    const tenth = Math.ceil(model.length / 10);
    await using hub = await openHub({ [name]: model }, { cutAfter: tenth });
    const ran = await pull(place, hub, '--yes');
    expect(ran).toMatchObject({ code: 0 });
    const starts = hub.ranges.map((range) => Number(/\d+/.exec(range)?.[0] ?? 0));
    expect(starts.length).toBeGreaterThanOrEqual(10);
    expect(starts).toEqual([...new Set(starts)].sort((a, b) => a - b));
    expect(readFileSync(pathIn(place)).equals(model)).toBe(true);
    expect(readdirSync(join(place.home, 'models', 'maker', 'tiny'))).toEqual([name]);
  });

  it('goes on with what an earlier call left', async () => {
    using place = openPlace();
    const half = Math.floor(model.length / 2);
    await using hub = await openHub({ [name]: model }, { cutAfter: half });
    const cut = await stopAfterFirst(hub, pull(place, hub, '--yes'));
    expect(cut.code).toBe(7);
    const next = /hint: Run the same command again: it goes on at byte (\d+)\./;
    const left = Number(next.exec(cut.stderr)?.[1]);
    expect(left).toBeGreaterThan(half / 2);
    hub.ranges.length = 0;
    Object.assign(hub.options, { cutAfter: undefined, status: undefined });
    const ran = await pull(place, hub, '--yes');
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stderr).toMatch(/size {5}1 MB, of which \d{3} kB are here/);
    expect([...hub.ranges]).toEqual([`bytes=${left}-`]);
    expect(readFileSync(pathIn(place)).equals(model)).toBe(true);
  });

  it('keeps nothing of a file that has another SHA-256 than was said', async () => {
    using place = openPlace();
    await using hub = await openHub({ [name]: model }, { sha256: '0'.repeat(64) });
    const ran = await pull(place, hub, '--yes');
    expect(ran.code).toBe(8);
    expect(ran.stderr).toContain(`SHA-256 ${sha256.slice(0, 12)}…, and 000000000000… was said`);
    expect(readdirSync(join(place.home, 'models', 'maker', 'tiny'))).toEqual([]);
  });

  it('keeps nothing of what is no model', async () => {
    using place = openPlace();
    await using hub = await openHub({ [name]: Buffer.from('no model at all') });
    const ran = await pull(place, hub, '--yes');
    expect(ran.code).toBe(6);
    expect(ran.stderr).toContain('it does not begin with "GGUF"');
    expect(existsSync(pathIn(place))).toBe(false);
  });

  it.each([
    [401, {}, 3, 'asks for a login (401)', 'HF_TOKEN'],
    [403, {}, 3, 'does not let you have it (403)', 'HF_TOKEN'],
    [404, {}, 4, 'does not have it (404)', 'Check the name'],
    [410, {}, 4, 'had it and removed it (410)', ''],
    [416, {}, 7, 'does not have this part of it (416)', 'Try again'],
    [429, { 'retry-after': '9' }, 7, 'was asked too often (429)', 'Wait 9 s'],
    [451, {}, 4, 'may not give it for legal reasons (451)', ''],
    [500, {}, 7, 'failed (500)', 'Try again'],
    [503, {}, 7, 'failed (503)', 'Try again'],
  ])(
    'says one clear thing about %i',
    async (status, headers, code, why, hint) => {
      using place = openPlace();
      await using hub = await openHub({ [name]: model }, { status, headers });
      const ran = await pull(place, hub, '--yes', '-q');
      expect(ran.code).toBe(code);
      const [error, next] = ran.stderr.trim().split('\n').slice(-2);
      expect(error).toMatch(/^error: /);
      expect(error).toContain(why);
      expect(next).toContain(`hint: `);
      expect(next).toContain(hint);
      expect(existsSync(pathIn(place))).toBe(false);
    },
    30_000,
  );

  it('sends the token to the hub, and not where the hub sends it on', async () => {
    using place = openPlace();
    await using hub = await openHub({ [name]: model }, { token: 'hf_test' });
    expect((await pull(place, hub, '--yes')).code).toBe(3);
    const ran = await place.cuervo(['model', 'pull', address, '--hub', hub.url, '--yes'], {
      env: { HF_TOKEN: 'hf_test' },
    });
    expect(ran).toMatchObject({ code: 0 });
  });

  it('lists what there is when several files fit, and takes one by the end of its name', async () => {
    using place = openPlace();
    await using hub = await openHub({ 'tiny-Q8_0.gguf': model, 'tiny-F16.gguf': model });
    const several = await pull(place, hub, '--yes');
    expect(several.code).toBe(2);
    expect(several.stderr).toContain('has several models: tiny-Q8_0.gguf (1 MB), tiny-F16.gguf');
    const ran = await place.cuervo([
      ...['model', 'pull', `${address}:q8_0`, '--hub', hub.url, '--yes', '--name', 'eight'],
    ]);
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stdout).toContain(`eight is here: ${pathIn(place, 'tiny-Q8_0.gguf')}`);
  });

  it('brings all parts of a model that was split', async () => {
    using place = openPlace();
    const [one, two] = ['tiny-00001-of-00002.gguf', 'tiny-00002-of-00002.gguf'];
    await using hub = await openHub({ [two]: smallGguf(), [one]: model });
    const ran = await pull(place, hub, '--yes');
    expect(ran).toMatchObject({ code: 0 });
    expect(readdirSync(join(place.home, 'models', 'maker', 'tiny'))).toEqual([one, two]);
  });

  it('brings a file from any address, with the SHA-256 of its headers or of the person', async () => {
    using place = openPlace();
    await using hub = await openHub({ [name]: model });
    const file = `${hub.url}maker/tiny/resolve/main/${name}`;
    const ran = await place.cuervo(['model', 'pull', file, '--yes']);
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stderr).toContain(`sha256   ${sha256}`);
    Object.assign(hub.options, { isSilent: true });
    const silent = await place.cuervo(['model', 'pull', file, '--yes', '--name', 'other']);
    expect(silent.stderr).toContain('sha256   not said');
    expect(silent.stderr).toContain('note: its SHA-256 is unknown');
    const wrong = await place.cuervo([
      ...['model', 'pull', file, '--yes', '--sha256', '1'.repeat(64)],
    ]);
    expect(wrong.code).toBe(8);
  });

  it('says that a pointer of Git LFS is not the model', async () => {
    using place = openPlace();
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${sha256}\nsize 4000000000\n`;
    await using hub = await openHub({ [name]: Buffer.from(pointer) }, { isSilent: true });
    const ran = await place.cuervo(['model', 'pull', `${hub.url}store/${name}`, '--yes']);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('is a pointer of Git LFS to a file of 4.0 GB, not the file');
  });

  it.each([
    ['qwen3', 'it names neither the hub nor an address'],
    ['hf:owner', 'it names no owner and model'],
    ['hf:owner/../x', 'it names no owner and model'],
    ['hf:owner/name:../../x.gguf', 'is not the path of a file in a model'],
    ['http://example.org/x.gguf', 'is not read over plain http'],
    ['https://me:secret@example.org/x.gguf', 'it holds a user or a password'],
  ])('refuses %s as a source', async (source, why) => {
    using place = openPlace();
    const ran = await place.cuervo(['model', 'pull', source, '--yes']);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(why);
    expect(ran.stderr).not.toContain('secret');
  });
});

/** Lets the first answer bring its piece, and every later one fail. */
async function stopAfterFirst(
  { ranges, options }: Awaited<ReturnType<typeof openHub>>,
  running: Promise<Ran>,
): Promise<Ran> {
  const push = ranges.push.bind(ranges);
  ranges.push = (...items) => {
    Object.assign(options, { status: 503 });
    return push(...items);
  };
  return await running;
}
