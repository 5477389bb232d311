import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { formatVersion, migrate } from './migrations.ts';

const tables = (connection: BetterSqlite3.Database) =>
  connection
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .pluck()
    .all();

describe('migrate()', () => {
  it('brings an empty file up to the format of this version, and leaves it there', () => {
    const connection = new BetterSqlite3(':memory:');
    migrate(connection, 'x');
    expect(connection.pragma('user_version', { simple: true })).toBe(formatVersion);
    expect(tables(connection)).toEqual([
      'audit_heads',
      'events',
      'file_changes',
      'job_runs',
      'jobs',
      'lasting_effects',
      'memory_changes',
      'memory_forgotten',
      'memory_links',
      'memory_rows',
      'memory_sources',
      'memory_uses',
      'memory_wal',
      'messages',
      'metrics',
      'model_replies',
      'model_spending',
      'payloads',
      'plugin_values',
      'program_outputs',
      'recalled',
      'runs',
      'sessions',
      'settings',
      'sqlite_sequence',
      'talk',
    ]);
    connection.exec("INSERT INTO settings VALUES ('kept', '{}')");
    migrate(connection, 'x');
    expect(connection.prepare('SELECT count(*) FROM settings').pluck().get()).toBe(1);
  });

  it('changes nothing when a step fails', () => {
    const connection = new BetterSqlite3(':memory:');
    // in the way of the last table, so that the ones before it were made already
    connection.exec('CREATE TABLE file_changes (other)');
    expect(() => migrate(connection, 'x')).toThrow(/file_changes already exists/);
    expect(tables(connection)).toEqual(['file_changes']);
    expect(connection.pragma('user_version', { simple: true })).toBe(0);
  });

  it('refuses a newer format, naming both', () => {
    const connection = new BetterSqlite3(':memory:');
    connection.pragma(`user_version = ${formatVersion + 1}`);
    expect(() => migrate(connection, '/h/cuervo.db')).toThrow(
      expect.objectContaining({
        code: 'unavailable',
        message: `the store /h/cuervo.db has format ${formatVersion + 1}, this version of cuervo reads up to ${formatVersion}`,
      }),
    );
  });
});
