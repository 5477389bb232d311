import { describe, expect, it } from 'vitest';
import type { CallOf } from '../../contracts/capabilities.ts';
import type { PluginValues } from '../../contracts/host-service.ts';
import type { OutputReader } from '../../contracts/kept-outputs.ts';
import { openStore } from '../../store/open-store.ts';
import { createKvServices } from './kv.ts';

const signal = new AbortController().signal;

function openKv() {
  const store = openStore({ path: ':memory:' });
  const values: PluginValues = store.values;
  const kept = { ...{ run: 'r', step: 's1', program: 'seq', stream: 'stdout' as const }, ts: 0 };
  const outputs: OutputReader = {
    list: (run, step) =>
      ['one', 'other']
        .map((plugin) => ({ ...kept, plugin, hash: id, bytes: printed.byteLength, isCut: true }))
        .filter((each) => each.run === run && each.step === step),
    read: (plugin, hash, offset, length) =>
      plugin === 'one' && hash === id ? printed.subarray(offset, offset + length) : undefined,
  };
  const askIn =
    (project: string) =>
    async (plugin: string, call: CallOf<'kv'>, ...args: unknown[]) => {
      const services = createKvServices({
        values: async () => values,
        outputs: async () => outputs,
        project,
      });
      const caller = { plugin, digest: '', signal, run: 'r', step: 's1' };
      return (await services[call](args, caller)).value;
    };
  return {
    ask: askIn('/a'),
    askIn,
    clear: values.clear,
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}

const id = 'ab'.repeat(32);
const printed = Buffer.alloc(600_000, 'x');

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('createKvServices()', () => {
  it('keeps, lists by prefix and removes, each plugin for itself', async () => {
    using kv = openKv();
    await kv.ask('one', 'kv.set', 'a/1', bytes('x'));
    await kv.ask('one', 'kv.set', 'a/2', bytes('y'));
    await kv.ask('one', 'kv.set', 'b', bytes('z'));
    await kv.ask('other', 'kv.set', 'a/1', bytes('theirs'));
    expect(await kv.ask('one', 'kv.keys', 'a/')).toEqual(['a/1', 'a/2']);
    await kv.ask('one', 'kv.delete', 'a/1');
    expect(await kv.ask('one', 'kv.get', 'a/1')).toBeUndefined();
    expect(await kv.ask('other', 'kv.get', 'a/1')).toEqual(Buffer.from('theirs'));
  });

  it('keeps values of each workspace apart, and clears those of all', async () => {
    using kv = openKv();
    const [here, there] = ['/a', '/b'].map(kv.askIn) as [typeof kv.ask, typeof kv.ask];
    await here('one', 'kv.set', 'k', bytes('x'));
    expect(await there('one', 'kv.get', 'k')).toBeUndefined();
    expect(await there('one', 'kv.keys', '')).toEqual([]);
    await there('one', 'kv.set', 'k', bytes('y'));
    await there('one', 'kv.delete', 'k');
    expect(await here('one', 'kv.get', 'k')).toEqual(Buffer.from('x'));
    await there('one', 'kv.set', 'k', bytes('y'));
    kv.clear('one');
    expect(await here('one', 'kv.keys', '')).toEqual([]);
    expect(await there('one', 'kv.keys', '')).toEqual([]);
  });

  it('takes % and _ of a prefix as they are', async () => {
    using kv = openKv();
    await kv.ask('one', 'kv.set', 'a%b', bytes('x'));
    await kv.ask('one', 'kv.set', 'axb', bytes('y'));
    expect(await kv.ask('one', 'kv.keys', 'a%')).toEqual(['a%b']);
    expect(await kv.ask('one', 'kv.keys', '_')).toEqual([]);
  });

  it('holds 16 MiB of one plugin and not a byte more', async () => {
    using kv = openKv();
    const mebibyte = new Uint8Array(1024 * 1024);
    for (let part = 0; part < 15; part += 1) await kv.ask('one', 'kv.set', `p${part}`, mebibyte);
    await expect(kv.ask('one', 'kv.set', 'last', mebibyte)).rejects.toMatchObject({ tag: 'limit' });
    // What is replaced makes room.
    await kv.ask('one', 'kv.set', 'p0', mebibyte.fill(1));
    expect(await kv.ask('one', 'kv.get', 'p0')).toEqual(Buffer.from(mebibyte));
    // Another plugin has room of its own.
    await kv.ask('other', 'kv.set', 'first', mebibyte);
  });

  it.each([
    ['kv.get', [3]],
    ['kv.get', ['k'.repeat(513)]],
    ['kv.get', []],
    ['kv.set', ['k', 'no bytes']],
    ['kv.set', ['k', new Uint8Array(1024 * 1024 + 1)]],
    ['kv.keys', [null]],
  ])('refuses the arguments that a broken process makes up: %s', async (call, args) => {
    using kv = openKv();
    await expect(kv.ask('one', call as CallOf<'kv'>, ...args)).rejects.toMatchObject({
      tag: 'invalid',
    });
  });

  it('hands long outputs of its own programs out in pieces, and lets none be written', async () => {
    using kv = openKv();
    const listed = (await kv.ask('one', 'kv.get', 'exec-output:')) as Uint8Array;
    expect(JSON.parse(Buffer.from(listed).toString())).toEqual([
      { id, program: 'seq', stream: 'stdout', bytes: 600_000, cut: true, pieces: 3 },
    ]);
    const piece = async (plugin: string, number: number) =>
      ((await kv.ask(plugin, 'kv.get', `exec-output:${id}:${number}`)) as Uint8Array | undefined)
        ?.byteLength;
    const sizes = await Promise.all([0, 1, 2, 3].map((number) => piece('one', number)));
    expect(sizes).toEqual([262_144, 262_144, 600_000 - 2 * 262_144, undefined]);
    expect(await piece('other', 0)).toBeUndefined();
    await expect(kv.ask('one', 'kv.set', 'exec-output:x', bytes('x'))).rejects.toMatchObject({
      tag: 'invalid',
    });
  });
});
