import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPromptStates, type PromptStates, type PromptStatesOptions } from './prompt-states.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'cuervo-states-'));
});
afterEach(() => {
  chmodSync(home, 0o700);
  rmSync(home, { recursive: true, force: true });
});

const options = (): PromptStatesOptions => ({
  ...{ root: join(home, 'prompt-states'), key: Buffer.alloc(32, 7) },
  ...{ model: 'a'.repeat(64), engine: 'llama@1' },
});

function open(change: Partial<PromptStatesOptions> = {}): PromptStates {
  const states = openPromptStates({ ...options(), ...change });
  if (states === undefined) throw new Error('no folder');
  return states;
}

function partOf(states: PromptStates): string {
  const part = states.part();
  if (part === undefined) throw new Error('no file can be made');
  return part;
}

/** Keeps a state as a model process writes one. */
async function put(states: PromptStates, text: string, bytes = 100): Promise<string> {
  const part = partOf(states);
  writeFileSync(part, `${text} `.repeat(bytes).slice(0, bytes));
  await states.keep(text, part, bytes);
  const path = await states.find(text);
  if (path === undefined) throw new Error('it was not kept');
  return path;
}

describe('openPromptStates()', () => {
  it('finds what it kept, in files and folders of the owner alone', async () => {
    const states = open();
    const path = await put(states, 'system text');
    expect(await open().find('system text')).toBe(path);
    expect(readFileSync(path, 'utf8')).toMatch(/^system text system/);
    expect(readdirSync(states.folder)).toHaveLength(1);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(states.folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(home, 'prompt-states')).mode & 0o777).toBe(0o700);
    // Neither text nor model can be read off the names.
    expect(path).not.toMatch(/system|aaaa/);
  });

  it('finds nothing of another text, model, engine or key', async () => {
    await put(open(), 'system text');
    expect(await open().find('another text')).toBeUndefined();
    expect(await open({ model: 'b'.repeat(64) }).find('system text')).toBeUndefined();
    expect(await open({ engine: 'llama@2' }).find('system text')).toBeUndefined();
    expect(await open({ key: Buffer.alloc(32, 8) }).find('system text')).toBeUndefined();
    expect(await open().find('system text')).toBeDefined();
  });

  it.each([
    ['one byte is another', (path: string) => flip(path)],
    ['it was cut', (path: string) => truncateSync(path, 50)],
    ['it is empty', (path: string) => truncateSync(path, 0)],
    ['something stands behind it', (path: string) => appendFileSync(path, 'x')],
    ['others may read it', (path: string) => chmodSync(path, 0o644)],
    [
      'it is a link',
      (path: string) => {
        writeFileSync(`${path}.elsewhere`, readFileSync(path), { mode: 0o600 });
        rmSync(path);
        symlinkSync(`${path}.elsewhere`, path);
      },
    ],
  ])('removes a state and finds none when %s', async (_what, spoil) => {
    const states = open();
    const path = await put(states, 'system text');
    spoil(path);
    expect(await states.find('system text')).toBeUndefined();
    expect(existsSync(path)).toBe(false);
    await put(states, 'system text');
  });

  it('takes no state of one text for that of another', async () => {
    const states = open();
    const one = await put(states, 'one');
    const two = await put(states, 'two');
    const [nameOfTwo] = basename(two).split('-');
    const swapped = join(states.folder, `${nameOfTwo}-${basename(one).split('-')[1]}`);
    writeFileSync(swapped, readFileSync(one), { mode: 0o600 });
    rmSync(two);
    expect(await states.find('two')).toBeUndefined();
    expect(existsSync(swapped)).toBe(false);
    expect(await states.find('one')).toBe(one);
  });

  it('keeps nothing that has another size than was written', async () => {
    const states = open();
    const part = partOf(states);
    writeFileSync(part, 'half of it');
    await states.keep('system text', part, 20);
    expect(await states.find('system text')).toBeUndefined();
    expect(readdirSync(states.folder)).toEqual([]);
    rmSync(partOf(states));
    await states.keep('system text', join(states.folder, 'gone.part'), 20);
    expect(readdirSync(states.folder)).toEqual([]);
  });

  it('lets the longest unused go above the quota, of all models', async () => {
    const first = open({ quotaBytes: 250 });
    const other = open({ quotaBytes: 250, model: 'b'.repeat(64) });
    const [old, used] = [await put(first, 'old'), await put(other, 'used')];
    const anHourAgo = new Date(Date.now() - 3_600_000);
    for (const path of [old, used]) utimesSync(path, anHourAgo, anHourAgo);
    await other.find('used');
    await put(first, 'new');
    expect([old, used].map((path) => existsSync(path))).toEqual([false, true]);
    expect(await first.find('new')).toBeDefined();
    // One that is larger than all that may be kept is not.
    await expect(put(first, 'large', 300)).rejects.toThrow('it was not kept');
  });

  it('removes what a process left behind when it was killed, and nothing that is young', async () => {
    const states = open();
    const [old, young] = [partOf(states), partOf(states)];
    for (const path of [old, young]) writeFileSync(path, 'half');
    const longAgo = new Date(Date.now() - 2 * 3_600_000);
    utimesSync(old, longAgo, longAgo);
    await put(states, 'system text');
    expect([old, young].map((path) => existsSync(path))).toEqual([false, true]);
  });

  it('knows that a text was looked for before', () => {
    expect(open().wasSeen('with tools')).toBe(false);
    expect(open().wasSeen('with tools')).toBe(true);
    expect(open().wasSeen('with others')).toBe(false);
  });

  it('is not there where no folder can be made, or where others may write in it', async () => {
    writeFileSync(join(home, 'file'), '');
    expect(openPromptStates({ ...options(), root: join(home, 'file') })).toBeUndefined();
    const states = open();
    chmodSync(states.folder, 0o777);
    expect(openPromptStates(options())).toBeUndefined();
    chmodSync(states.folder, 0o700);
    expect(openPromptStates(options())).toBeDefined();
  });
});

function flip(path: string): void {
  const bytes = readFileSync(path);
  bytes[60] = (bytes[60] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}
