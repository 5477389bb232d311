import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findProgram } from './find-program.ts';

let dir: string;
const put = (path: string, mode: number): void => {
  writeFileSync(join(dir, path), '#!/bin/sh\n');
  chmodSync(join(dir, path), mode);
};
beforeAll(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'cuervo-programs-')));
  for (const folder of ['first', 'second', 'work', 'elsewhere']) mkdirSync(join(dir, folder));
  put('first/tool', 0o755);
  put('second/tool', 0o755);
  put('second/other', 0o755);
  put('first/other', 0o644);
  mkdirSync(join(dir, 'first/folder'));
  put('work/evil', 0o755);
  put('elsewhere/far', 0o755);
  symlinkSync(join(dir, 'work/evil'), join(dir, 'first/evil'));
  symlinkSync(join(dir, 'elsewhere/far'), join(dir, 'first/far'));
  symlinkSync(join(dir, 'second/other'), join(dir, 'first/alias'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const find = (name: string) =>
  findProgram(name, [join(dir, 'work')], [join(dir, 'first'), join(dir, 'second')]);

describe('findProgram()', () => {
  it('takes the first executable file of that name', () => {
    expect(find('tool').path).toBe(join(dir, 'first/tool'));
    expect(find('other').path).toBe(join(dir, 'second/other'));
  });

  it('keeps the name of a link and tells where it leads', () => {
    expect(find('alias')).toMatchObject({
      path: join(dir, 'first/alias'),
      real: join(dir, 'second/other'),
    });
  });

  it.each([
    ['evil', 'denied', 'a folder that a plugin may reach'],
    ['far', 'denied', 'outside of the folders that the system installs to'],
    ['nothing', 'not-found', 'is not installed in'],
    ['folder', 'not-found', 'is not installed in'],
    ['./tool', 'invalid', 'is not a name'],
    ['/bin/sh', 'invalid', 'is not a name'],
    ['..', 'invalid', 'is not a name'],
    ['-tool', 'invalid', 'is not a name'],
    ['', 'invalid', 'is not a name'],
    ['tool\n', 'invalid', 'is not a name'],
    ['t'.repeat(129), 'invalid', 'is not a name'],
  ])('refuses %j as %s', (name, tag, words) => {
    expect(() => find(name)).toThrow(
      expect.objectContaining({ tag, message: expect.stringContaining(words) }),
    );
  });

  it('tells what others than an administrator could replace', () => {
    chmodSync(join(dir, 'second/tool'), 0o777);
    const writable = findProgram('tool', [], [join(dir, 'second')]);
    expect(writable.replaceable).toBe(true);
    expect(findProgram('sh', []).replaceable).toBe(false);
  });
});
