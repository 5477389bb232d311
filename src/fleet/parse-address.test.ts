import { describe, expect, it } from 'vitest';
import { parseAddress } from './parse-repositories.ts';

describe('parseAddress()', () => {
  it.each([
    [
      'postgres://team@db.example.org/fleet',
      { host: 'db.example.org', port: 5432, isLocal: false },
    ],
    ['postgresql://a%20b@127.0.0.1:5433/fleet', { user: 'a b', port: 5433, isLocal: true }],
    ['postgres://team@[::1]/fleet', { host: '::1', isLocal: true }],
    ['postgres://team@127.0.0.1.example.org/fleet', { isLocal: false }],
  ])('reads %s', (text, found) => {
    expect(parseAddress(text)).toMatchObject(found);
  });

  it.each([
    ['no address', 'fleet'],
    ['another protocol', 'https://team@host/fleet'],
    ['no user', 'postgres://host/fleet'],
    ['no database', 'postgres://team@host/'],
    ['settings that turn TLS off', 'postgres://team@host/fleet?sslmode=disable'],
    ['a password', 'postgres://team:s3cret@host/fleet'],
  ])('refuses %s without repeating it', (_, text) => {
    expect(() => parseAddress(text)).toThrow(/^fleet\.database /);
    expect(() => parseAddress(text)).not.toThrow(/s3cret|sslmode/);
  });
});
