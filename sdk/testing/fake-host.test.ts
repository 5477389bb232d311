import { describe, expect, it } from 'vitest';
import { fakeHost } from './fake-host.ts';

type Calls = Record<string, (...args: unknown[]) => unknown>;

describe('fakeHost()', () => {
  it('has the files it was given, and keeps what is written', () => {
    const host = fakeHost({ files: { 'a/b.txt': 'one\ntwo', 'work:c.txt': 'x' } });
    const { fs, 'fs-write': write } = host.interfaces as unknown as Record<string, Calls>;
    expect(fs?.readText?.('work:a/b.txt', 3)).toMatchObject({ text: 'one', truncated: true });
    expect(fs?.listDir?.('work:')).toMatchObject([
      { path: 'work:a', kind: 'directory' },
      { path: 'work:c.txt', kind: 'file' },
    ]);
    write?.rename?.('work:c.txt', 'work:d.txt');
    expect([...host.files.keys()]).toEqual(['work:a/b.txt', 'work:d.txt']);
    expect(host.calls).toEqual(['fs.readText', 'fs.listDir', 'fs-write.rename']);
  });

  it('reads many files at once, and one that is not there fails alone', () => {
    const { fs } = fakeHost({ files: { 'a.txt': 'one' } }).interfaces as unknown as {
      fs: Record<'readMany' | 'statMany', (...args: unknown[]) => unknown[]>;
    };
    const missing = { tag: 'err', val: { tag: 'not-found', val: 'there is no b.txt' } };
    const [read, other] = fs.readMany(['a.txt', 'b.txt'], 9);
    expect(read).toMatchObject({ tag: 'ok', val: { text: 'one' } });
    expect(other).toEqual(missing);
    expect(fs.statMany(['a.txt', 'b.txt'])).toMatchObject([{ tag: 'ok' }, missing]);
  });

  it('denies what it is told to, as the host does', () => {
    const { kv } = fakeHost({ denied: ['kv'] }).interfaces as unknown as Record<string, Calls>;
    expect(() => kv?.get?.('a')).toThrow(
      expect.objectContaining({ payload: { tag: 'denied', val: 'kv was not granted' } }),
    );
  });

  it('answers by the functions of the test, and with an error where there is none', () => {
    const host = fakeHost({ http: ({ url }) => ({ status: 201, body: url }) });
    const { http, exec } = host.interfaces as unknown as Record<string, Calls>;
    expect(http?.send?.({ url: 'https://x' })).toEqual({
      status: 201,
      headers: [],
      body: new TextEncoder().encode('https://x'),
    });
    expect(() => exec?.run?.({ program: 'git' })).toThrow('there is no git');
  });
});
