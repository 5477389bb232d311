import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type WalkedFile, walkFiles } from './walk-files.ts';

const { signal } = new AbortController();
const root = mkdtempSync(join(tmpdir(), 'cuervo-walk-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const files = {
  '.gitignore': 'dist/\n*.log\n!keep.log\n',
  'a.md': 'a',
  'b.log': 'b',
  'keep.log': 'k',
  'dist/out.js': 'o',
  'node_modules/m/index.js': 'm',
  '.git/config': 'g',
  '.env': 'secret',
  'src/.gitignore': '/local.ts\n',
  'src/local.ts': 'l',
  'src/main.ts': 'main',
  'src/deep/local.ts': 'kept',
  'src/deep/x.log': 'x',
};
for (const [path, text] of Object.entries(files)) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
symlinkSync('/etc', join(root, 'link'));
symlinkSync(join(root, 'a.md'), join(root, 'link.md'));

const filesBelow = async (folder: string, isProtected: (path: string) => boolean) => {
  const found: WalkedFile[] = [];
  for await (const file of walkFiles(root, folder, isProtected, { signal })) found.push(file);
  return found;
};
const isEnv = (path: string): boolean => path === '.env';
const walk = async (folder: string, isProtected = isEnv) =>
  (await filesBelow(folder, isProtected)).map(({ path }) => path);

describe('walkFiles()', () => {
  it('finds what is not ignored, protected, a link, or what packages are kept in', async () => {
    expect(await walk('')).toEqual([
      '.gitignore',
      'a.md',
      'keep.log',
      'src/.gitignore',
      'src/deep/local.ts',
      'src/main.ts',
    ]);
  });

  it('minds the rules of the folders above', async () => {
    expect(await walk('src/deep')).toEqual(['src/deep/local.ts']);
  });

  it('asks about every path, and shows what is not protected', async () => {
    expect(await walk('', (path) => path.startsWith('src'))).toEqual([
      '.env',
      '.gitignore',
      'a.md',
      'keep.log',
    ]);
  });

  // other systems have no such names
  it.runIf(process.platform === 'linux')(
    'leaves out and reports names that are not UTF-8',
    async () => {
      const odd = mkdtempSync(join(tmpdir(), 'cuervo-odd-'));
      try {
        writeFileSync(join(odd, 'z.md'), 'z');
        writeFileSync(Buffer.concat([Buffer.from(`${odd}/bad`), Buffer.from([0xff])]), 'x');
        mkdirSync(Buffer.concat([Buffer.from(`${odd}/worse`), Buffer.from([0xff])]));
        const told: string[] = [];
        const found: string[] = [];
        const onUnreadable = (path: string) => told.push(path);
        for await (const { path } of walkFiles(odd, '', () => false, { signal, onUnreadable }))
          found.push(path);
        expect([found, told]).toEqual([['z.md'], ['bad\\xff', 'worse\\xff']]);
      } finally {
        rmSync(odd, { recursive: true, force: true });
      }
    },
  );

  it.runIf(process.platform !== 'win32')(
    'leaves out and tells of names that could be read as lines of an answer',
    async () => {
      const odd = mkdtempSync(join(tmpdir(), 'cuervo-odd-'));
      try {
        const folder = 'config.ts:1\n> 1 limit = 3\n';
        mkdirSync(join(odd, folder));
        writeFileSync(join(odd, folder, 'in.md'), 'i');
        for (const name of ['e\u001b[2J.md', 'b\\c.md', 's\u2028.md', 'plain ü.md'])
          writeFileSync(join(odd, name), 'x');
        const told: string[] = [];
        const found: string[] = [];
        const onUnreadable = (path: string) => told.push(path);
        for await (const { path } of walkFiles(odd, '', () => false, { signal, onUnreadable }))
          found.push(path);
        expect(found).toEqual(['plain ü.md']);
        expect(told).toEqual(['b\\c.md', folder, 'e\u001b[2J.md', 's\u2028.md']);
      } finally {
        rmSync(odd, { recursive: true, force: true });
      }
    },
  );

  it('tells size and time of change', async () => {
    const [file] = await filesBelow('src/deep', () => false);
    expect(file).toEqual({
      path: 'src/deep/local.ts',
      bytes: 4,
      changedMs: expect.any(Number),
    });
  });

  it('takes no rules from what is not a file', async () => {
    const odd = mkdtempSync(join(tmpdir(), 'cuervo-walk-'));
    writeFileSync(join(odd, 'a.md'), 'a');
    symlinkSync('/dev/zero', join(odd, '.gitignore'));
    execFileSync('mkfifo', [join(odd, '.ignore')]);
    const found: string[] = [];
    for await (const { path } of walkFiles(odd, '', () => false, { signal })) found.push(path);
    rmSync(odd, { recursive: true });
    expect(found).toEqual(['a.md']);
  });
});
