import { describe, expect, it } from 'vitest';
import { KernelError } from '../../contracts/error.ts';
import { isSqliteError, toStoreError } from './database-file.ts';

const failed = (code: string) => Object.assign(new Error(`raw text of ${code}`), { code });

describe('toStoreError()', () => {
  it.each([
    ['SQLITE_READONLY', 'unavailable', 'read-only'],
    ['SQLITE_READONLY_DIRECTORY', 'unavailable', 'read-only'],
    ['EROFS', 'unavailable', 'read-only'],
    ['EACCES', 'unavailable', 'read-only'],
    ['SQLITE_CANTOPEN', 'unavailable', 'cannot be opened'],
    ['ENOTDIR', 'unavailable', 'cannot be opened'],
    ['SQLITE_FULL', 'resource-exhausted', 'the disk is full'],
    ['ENOSPC', 'resource-exhausted', 'the disk is full'],
    ['SQLITE_CORRUPT', 'unavailable', 'is damaged'],
    ['SQLITE_NOTADB', 'unavailable', 'is damaged'],
    ['SQLITE_BUSY', 'unavailable', 'locked by another process'],
    ['SQLITE_IOERR_WRITE', 'unavailable', 'could not be read or written'],
    ['SQLITE_TOOBIG', 'resource-exhausted', 'above the size'],
    ['SQLITE_CONSTRAINT_FOREIGNKEY', 'not-found', 'does not hold the row'],
    ['SQLITE_CONSTRAINT_UNIQUE', 'conflict', 'already holds a row'],
  ])('says what %s is, where, and what to do', (sqliteCode, code, part) => {
    const cause = failed(sqliteCode);
    const error = toStoreError(cause, '/home/x/cuervo.db');
    expect(error).toBeInstanceOf(KernelError);
    expect([error.code, error.cause]).toEqual([code, cause]);
    expect(error.message).toContain('the store /home/x/cuervo.db ');
    expect(error.message).toContain(part);
    expect(error.message).not.toContain('raw text');
    expect(error.hint).toBeTruthy();
  });

  it('tells a full disk from a failed one, which SQLite does not', () => {
    const cause = failed('SQLITE_IOERR_SHMSIZE');
    const full = toStoreError(cause, '/d/cuervo.db', () => 4096);
    expect([full.code, full.message]).toEqual([
      'resource-exhausted',
      'the store /d/cuervo.db cannot grow: the disk is full; nothing was half-written',
    ]);
    for (const free of [1_000_000, undefined]) {
      expect(toStoreError(cause, '/d/cuervo.db', () => free).code).toBe('unavailable');
    }
  });

  it('calls what it does not know our own bug', () => {
    const error = toStoreError(failed('SQLITE_CONSTRAINT_DATATYPE'), '/d');
    expect([error.code, error.message]).toEqual([
      'internal',
      'the store /d failed: raw text of SQLITE_CONSTRAINT_DATATYPE',
    ]);
  });

  it('passes on what is a KernelError already', () => {
    const error = new KernelError('canceled', 'stop');
    expect(toStoreError(error, '/d')).toBe(error);
  });
});

describe('isSqliteError()', () => {
  it('goes by the beginning of the code', () => {
    expect(isSqliteError(failed('SQLITE_BUSY_SNAPSHOT'), 'SQLITE_BUSY')).toBe(true);
    expect(isSqliteError(failed('SQLITE_FULL'), 'SQLITE_BUSY')).toBe(false);
    expect(isSqliteError(failed('ENOENT'))).toBe(false);
    expect(isSqliteError('SQLITE_BUSY')).toBe(false);
  });
});
