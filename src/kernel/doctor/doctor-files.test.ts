import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../store/open-database.ts';
import { checkPermissions, checkRules, checkStore } from './doctor-files.ts';

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
        finding: `${home} is on a file system that is mounted read-only`,
        fix: `sudo mount -o remount,rw "$(findmnt -n -o TARGET -T ${home})"`,
      },
    ]);
  });

  it('fails for rules that are a link to nothing', () => {
    const path = join(home, 'rules.toml');
    symlinkSync('nowhere', path);
    expect(checkRules(home)).toMatchObject([
      {
        status: 'fail',
        finding: expect.stringContaining(`${path} is a link to a missing file`),
      },
    ]);
  });

  it('fails for a home that its owner cannot write', () => {
    expect(checkPermissions(home, refuse('EACCES'))).toMatchObject([
      { status: 'fail', finding: `${home} cannot be written: EACCES`, fix: `chmod u+rwx ${home}` },
    ]);
    expect(checkPermissions(home)).toMatchObject([{ name: 'home', status: 'ok' }]);
  });

  it('fails for a home on a full disk', () => {
    const found = checkPermissions(home, undefined, () => 4096);
    expect(found).toMatchObject([
      { name: 'home', status: 'ok' },
      {
        name: 'home',
        status: 'fail',
        finding: `the disk that holds ${home} is full: 4096 bytes are left, 1048576 are needed`,
        fix: `df -h ${home}`,
      },
    ]);
  });

  it('fails for a home that is not there and cannot be made', () => {
    const path = join(home, 'a', 'b');
    expect(checkPermissions(path)).toMatchObject([{ status: 'ok' }]);
    expect(checkPermissions(path, refuse('EROFS'))).toMatchObject([
      {
        name: 'home',
        status: 'fail',
        finding: `${path} does not exist and cannot be made: ${home} cannot be written (EROFS)`,
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
    rmSync(path);
    symlinkSync(devNull, path);
    expect(checkRules(home)).toMatchObject([
      {
        finding: `${path} is not a regular file; until then no program runs`,
        fix: `mv ${path} ${path}.old`,
      },
    ]);
  });
});

const damaged = (path: string) => ({
  name: 'store',
  status: 'fail',
  finding: `${path} is damaged or is not a SQLite database`,
  fix: `mv ${path} ${path}.damaged`,
});

describe('checkStore()', () => {
  it('tells a database from other bytes', () => {
    const path = join(home, 'cuervo.db');
    expect(checkStore(home)).toEqual([]);
    openDatabase(path).close();
    expect(checkStore(home)).toEqual([
      { name: 'store', status: 'ok', finding: `${path} is a whole database` },
    ]);
    expect(readdirSync(home)).toEqual(['cuervo.db']);
    writeFileSync(path, Buffer.alloc(8192, 0xa7));
    expect(checkStore(home)).toEqual([damaged(path)]);
    writeFileSync(path, '');
    expect(checkStore(home)).toMatchObject([{ status: 'ok' }]);
    rmSync(path);
    symlinkSync(devNull, path);
    const [found] = checkStore(home);
    const [finding, fix] = [`the store ${path} is not a regular file`, `mv ${path} ${path}.old`];
    expect(found).toEqual({ name: 'store', status: 'fail', finding, fix });
    const hint = expect.stringMatching(new RegExp(`: ${fix}$`));
    const thrown = expect.objectContaining({ message: finding, hint });
    expect(() => openDatabase(path)).toThrow(thrown);
  });

  it('finds damage behind the header, and makes no file', () => {
    const path = join(home, 'cuervo.db');
    openDatabase(path).close();
    const bytes = readFileSync(path);
    for (const [from, to] of [
      [4096, 8192],
      [20, 200],
      [bytes.length / 2, bytes.length],
    ] as const) {
      writeFileSync(path, Buffer.from(bytes).fill(0xa7, from, to));
      expect(checkStore(home)).toEqual([damaged(path)]);
    }
    for (const length of [1, 15, 16, 17, 18, 19, 20, 99, 100, 5000]) {
      writeFileSync(path, bytes.subarray(0, length));
      expect(checkStore(home), `${length} bytes`).toEqual([damaged(path)]);
    }
    expect(readdirSync(home)).toEqual(['cuervo.db']);
  });

  it('looks at one that is open with the log beside it, and leaves both', () => {
    const path = join(home, 'cuervo.db');
    const open = openDatabase(path);
    open.transaction(() => {
      open.run('CREATE TABLE more (text TEXT)');
      expect(checkStore(home)).toMatchObject([{ finding: `${path} is a whole database` }]);
    });
    expect(existsSync(`${path}-wal`)).toBe(true);
    expect(open.all('SELECT * FROM more')).toEqual([]);
    open.close();
  });

  it('looks no further than the header of a large one', () => {
    const path = join(home, 'cuervo.db');
    writeFileSync(path, 'SQLite format 3\0');
    truncateSync(path, 64 * 1024 * 1024 + 1);
    expect(checkStore(home)).toMatchObject([
      { status: 'ok', finding: expect.stringContaining('up to 64 MB') },
    ]);
  });
});
