import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkPermissions, checkRules } from './doctor-files.ts';
import { checkStore } from './doctor-store.ts';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'cuervo-doctor-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const refuse = (code: string) => () => {
  throw Object.assign(new Error(code), { code });
};

describe('checkPermissions()', () => {
  it('fails for a home on a read-only mount', () => {
    expect(checkPermissions(home, refuse('EROFS'))).toEqual([
      {
        name: 'home',
        status: 'fail',
        finding: `${home} lies on a file system that is mounted read-only`,
        fix: `sudo mount -o remount,rw "$(findmnt -n -o TARGET -T ${home})"`,
      },
    ]);
  });

  it('fails for a home that its owner cannot write', () => {
    expect(checkPermissions(home, refuse('EACCES'))).toMatchObject([
      { status: 'fail', finding: `${home} cannot be written: EACCES`, fix: `chmod u+rwx ${home}` },
    ]);
    expect(checkPermissions(home)).toMatchObject([{ name: 'home', status: 'ok' }]);
  });

  it('fails for a home that is not there and cannot be made', () => {
    const path = join(home, 'a', 'b');
    expect(checkPermissions(path)).toMatchObject([{ status: 'ok' }]);
    expect(checkPermissions(path, refuse('EROFS'))).toMatchObject([
      {
        name: 'home',
        status: 'fail',
        finding: `${path} is not there and cannot be made: ${home} cannot be written (EROFS)`,
        fix: expect.stringMatching(/^sudo mount -o remount,rw /),
      },
    ]);
    expect(checkPermissions(path, refuse('EACCES'))).toMatchObject([
      { fix: `sudo install -d -m 0700 -o "$(id -u)" ${path}` },
    ]);
  });
});

describe('checkRules()', () => {
  it('has no line where there are none, and fails for rules that cannot be read', () => {
    expect(checkRules(home)).toEqual([]);
    const path = join(home, 'rules.toml');
    writeFileSync(path, 'no = = sense\n');
    const [found] = checkRules(home);
    expect(found).toMatchObject({ name: 'rules', status: 'fail', fix: `\${EDITOR:-vi} ${path}` });
    expect(found?.finding).toMatch(/rules\.toml.*; until then no program runs$/);
    writeFileSync(path, '');
    expect(checkRules(home)).toMatchObject([{ status: 'ok', finding: `0 of your own in ${path}` }]);
  });
});

describe('checkStore()', () => {
  it('tells a database from other bytes', () => {
    const path = join(home, 'cuervo.db');
    expect(checkStore(home)).toEqual([]);
    writeFileSync(path, 'SQLite format 3\0 and more');
    expect(checkStore(home)).toMatchObject([{ name: 'store', status: 'ok' }]);
    writeFileSync(path, Buffer.alloc(8192, 0xa7));
    expect(checkStore(home)).toEqual([
      {
        name: 'store',
        status: 'fail',
        finding: `${path} is damaged or is no SQLite database`,
        fix: `mv ${path} ${path}.damaged`,
      },
    ]);
  });
});
