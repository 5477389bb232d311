import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createWorkspaceSecrets } from './workspace-secrets.ts';

const dir = mkdtempSync(join(tmpdir(), 'cuervo-secrets-'));
afterAll(() => rmSync(dir, { recursive: true }));
const { signal } = new AbortController();
const keyOf = (name: string): string =>
  `ghp_${Buffer.from(name.repeat(36)).toString('hex')}`.slice(0, 40);

function open(name: string, files: Readonly<Record<string, string | Buffer>>) {
  const folder = join(dir, name);
  const put = (path: string, text: string | Buffer): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const [path, text] of Object.entries(files)) put(path, text);
  const notes: string[] = [];
  const secrets = createWorkspaceSecrets({ folder, warn: (text) => notes.push(text), tell() {} });
  const find = async (...paths: string[]) =>
    (await secrets.find(paths, { signal })).map(({ value }) => value);
  return { folder, put, notes, find };
}

describe('createWorkspaceSecrets()', () => {
  // other systems have no such names
  it.runIf(process.platform === 'linux')(
    'finds what a file holds whose name is not UTF-8, or lies in such a folder',
    async () => {
      const { folder, find } = open('bytes', { 'plain.txt': 'nothing\n' });
      const odd = (name: string) =>
        Buffer.concat([Buffer.from(`${folder}/${name}`), Buffer.from([0xff])]);
      writeFileSync(odd('file'), keyOf('a'));
      mkdirSync(odd('folder'));
      writeFileSync(Buffer.concat([odd('folder'), Buffer.from('/b.txt')]), keyOf('b'));
      expect((await find()).toSorted()).toEqual([keyOf('a'), keyOf('b')]);
    },
  );

  it('finds what ignored, protected and wide files hold, and nothing in what is not text', async () => {
    const { find, notes } = open('kinds', {
      '.gitignore': 'local/\n',
      'local/deep/a.txt': keyOf('a'),
      '.env': `TOKEN=${keyOf('b')}\n`,
      'wide.txt': Buffer.from(`\ufeff${keyOf('c')}\n`, 'utf16le'),
      '.git/config': `url = https://ann:${keyOf('d')}@example.io/x.git\n`,
      'photo.png': Buffer.concat([Buffer.alloc(8), Buffer.from(keyOf('e'))]),
    });
    symlinkSync('/dev/zero', join(dir, 'kinds/endless'));
    const found = await find();
    for (const name of ['a', 'b', 'c', 'd']) expect(found, name).toContain(keyOf(name));
    expect(found).not.toContain(keyOf('e'));
    expect(notes).toEqual([]);
  });

  it('reads a file whole, also a key on the border of two parts', async () => {
    const part = 4 * 1024 * 1024;
    const padding = 'x'.repeat(part - 21);
    const { find } = open('large', {
      'log.txt': `${padding} ${keyOf('a')} ${padding} ${keyOf('b')}`,
    });
    expect(await find()).toEqual(expect.arrayContaining([keyOf('a'), keyOf('b')]));
  });

  it('looks once, and then at files that are named', async () => {
    const { find, put } = open('once', {
      'a.txt': keyOf('a'),
      'node_modules/x/key': keyOf('n'),
    });
    expect(await find()).toEqual([keyOf('a')]);
    put('later.txt', keyOf('b'));
    expect(await find()).toEqual([keyOf('a')]);
    put('a.txt', `${keyOf('c')} is longer`);
    const named = ['later.txt', 'a.txt', 'node_modules/x/key', 'gone.txt', '', '..', 'a\0b'];
    const found = await find(...named);
    // What a file held before may still be in the history of it, or in a cache.
    expect(new Set(found)).toEqual(new Set(['a', 'b', 'c', 'n'].map(keyOf)));
  });

  it('says where it stopped', async () => {
    const tokens = Array.from({ length: 1_001 }, (_, at) => keyOf(String(1_000 + at)));
    const { find, notes, folder } = open('many', { 'a.txt': tokens.join('\n') });
    expect(await find()).toHaveLength(1_000);
    await find();
    expect(notes).toEqual([
      `${folder} holds 1001 secrets, limit 1000: the others are known in their own form alone`,
    ]);
  });
});
