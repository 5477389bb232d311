import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPlace, type Place } from '../support/place.ts';

const source = (
  version: string,
): string => `import { definePlugin, kv, memory, v } from '@cuervo/sdk';
export default definePlugin({
  name: 'notes', version: '${version}', description: 'Keeps a note.',
  wants: [{ capability: 'kv', why: 'keeps the note' }, { capability: 'memory', why: 'keeps it findable' }],
  tools: [
    { name: 'put', description: 'Keeps a note.', effect: 'write', input: v.object({ text: v.string() }), examples: [],
      run: ({ text }) => { kv.setText('note', text); memory.remember(text, 'note', []); return { content: 'kept', summary: 'kept' }; } },
    { name: 'get', description: 'Gives the note.', effect: 'read', input: v.object({}), examples: [],
      run: () => ({ content: { note: kv.getText('note') ?? '', found: memory.search('secret', 5).length }, summary: 'note' }) },
  ],
});
`;

let built: Place;
const wasm = (name: string): Buffer => readFileSync(join(built.work, `${name}.wasm`));
beforeAll(async () => {
  built = openPlace({
    'a/plugin.ts': source('1.0.0'),
    'b/plugin.ts': source('1.0.1'),
    'c/plugin.ts': source('1.1.0'),
  });
  for (const name of ['a', 'b', 'c']) {
    const ran = await built.cuervo(['plugin', 'build', name, '-o', `${name}.wasm`]);
    expect(ran.stderr).not.toContain('error:');
  }
});
afterAll(() => built[Symbol.dispose]());

const allowed = ['--allow', 'kv', '--allow', 'memory', '-q'];
const get = async (place: Place): Promise<unknown> =>
  JSON.parse((await place.cuervo(['run', 'notes.get', '{}', ...allowed])).stdout);

describe('what a plugin keeps', () => {
  it('belongs to its publisher: another one of the name starts empty, unless a person hands it over', async () => {
    using place = openPlace({ 'mine.wasm': wasm('a'), 'other.wasm': wasm('c') });
    await place.cuervo(['plugin', 'install', 'mine.wasm', '--yes']);
    await place.cuervo(['run', 'notes.put', '{"text":"a secret"}', ...allowed]);
    expect(await get(place)).toEqual({ note: 'a secret', found: 1 });

    const replaced = await place.cuervo(['plugin', 'install', 'other.wasm', '--replace', '--yes']);
    expect(replaced.stderr).toContain('Its kv and memory start empty');
    expect(await get(place)).toEqual({ note: '', found: 0 });

    // The one before finds its own again.
    await place.cuervo(['plugin', 'rollback', 'notes']);
    expect(await get(place)).toEqual({ note: 'a secret', found: 1 });
    const handed = ['plugin', 'install', 'other.wasm', '--replace', '--keep-data', '--yes'];
    expect((await place.cuervo(handed)).code).toBe(0);
    expect(await get(place)).toEqual({ note: 'a secret', found: 1 });
  }, 180_000);

  it('of an installed plugin is not what a file that is tried finds, nor another file', async () => {
    using place = openPlace({
      'mine.wasm': wasm('a'),
      'b.wasm': wasm('b'),
      'c.wasm': wasm('b'),
    });
    await place.cuervo(['plugin', 'install', 'mine.wasm', '--yes']);
    await place.cuervo(['run', 'notes.put', '{"text":"a secret"}', ...allowed]);
    const at = async (file: string, ...call: string[]): Promise<unknown> => {
      const ran = await place.cuervo(['run', '--plugin', file, ...call, ...allowed]);
      expect(ran.code).toBe(0);
      return ran.stdout;
    };
    const nothing = '{"note":"","found":0}\n';
    expect(await at('b.wasm', 'get')).toBe(nothing);
    await at('b.wasm', 'put', 'text=a secret of its own');
    expect(await at('b.wasm', 'get')).toBe('{"note":"a secret of its own","found":1}\n');
    expect(await at('c.wasm', 'get')).toBe(nothing);
    // A rebuild at the same place finds it again.
    place.write({ 'b.wasm': wasm('c') });
    expect(await at('b.wasm', 'get')).toBe('{"note":"a secret of its own","found":1}\n');
    expect(await get(place)).toEqual({ note: 'a secret', found: 1 });
  }, 180_000);

  it('stays through an update of one source, and goes with the plugin', async () => {
    using place = openPlace({ 'mine.wasm': wasm('a') });
    await place.cuervo(['plugin', 'install', 'mine.wasm', '--yes']);
    await place.cuervo(['run', 'notes.put', '{"text":"a secret"}', ...allowed]);
    place.write({ 'mine.wasm': wasm('c') });
    await place.cuervo(['plugin', 'update', '--yes']);
    expect(await get(place)).toEqual({ note: 'a secret', found: 1 });
    await place.cuervo(['plugin', 'remove', 'notes']);
    place.write({ 'mine.wasm': wasm('b') });
    await place.cuervo(['plugin', 'install', 'mine.wasm', '--yes']);
    expect(await get(place)).toEqual({ note: '', found: 0 });
  }, 180_000);
});
