import { describe, expect, it } from 'vitest';
import { type Guest, openWasi, payloadOf } from '../../tests/support/open-wasi.ts';
import { ExitError } from './resource.ts';

const text = (bytes: unknown): string => Buffer.from(bytes as Uint8Array).toString();

describe('createCli()', () => {
  it('gives the arguments and standard input of the call, and an empty environment', () => {
    const wasi = openWasi();
    wasi.begin({ args: ['tool', '--all'], stdin: Buffer.from('hello') });
    expect(wasi.of('wasi:cli/environment').getArguments!()).toEqual(['tool', '--all']);
    expect(wasi.of('wasi:cli/environment').getEnvironment!()).toEqual([]);
    const stdin = wasi.of('wasi:cli/stdin').getStdin!() as Guest;
    expect(text(stdin.read!(2n))).toBe('he');
    // More than any buffer: a guest gets what there is.
    expect(text(stdin.blockingRead!(2n ** 64n - 1n))).toBe('llo');
    expect(payloadOf(() => stdin.read!(1n))).toEqual({ tag: 'closed' });
  });

  it('keeps what is written until the call ends, and forgets it then', () => {
    const wasi = openWasi();
    const out = wasi.of('wasi:cli/stdout').getStdout!() as Guest;
    const err = wasi.of('wasi:cli/stderr').getStderr!() as Guest;
    out.write!(Buffer.from('one '));
    (wasi.of('wasi:cli/stdout').getStdout!() as Guest).blockingWriteAndFlush!(Buffer.from('two'));
    err.write!(Buffer.from('oh'));
    const outcome = wasi.finish();
    expect(text(outcome.stdout)).toBe('one two');
    expect(text(outcome.stderr)).toBe('oh');
    expect(wasi.finish()).toMatchObject({ stdout: new Uint8Array(), exitCode: undefined });
  });

  it('fails a write above the limit and says so', () => {
    const wasi = openWasi({ maxResultBytes: 10 });
    const out = wasi.of('wasi:cli/stdout').getStdout!() as Guest;
    out.write!(new Uint8Array(10));
    expect(payloadOf(() => out.write!(new Uint8Array(1)))).toMatchObject({
      tag: 'last-operation-failed',
    });
    expect(payloadOf(() => out.checkWrite!())).toMatchObject({ tag: 'last-operation-failed' });
    const outcome = wasi.finish();
    expect(outcome.stdout).toHaveLength(10);
    expect(outcome.overflow).toMatch(/above 10 bytes/);
  });

  it('ends the call with an exit code, and serves nothing after it', () => {
    const wasi = openWasi({ answer: () => new Uint8Array(4096).fill(7) });
    const { exit, exitWithCode } = wasi.of('wasi:cli/exit');
    const first = wasi.of('wasi:random/random').getRandomU64!();
    expect(first).toBe(0x0707070707070707n);
    expect(() => exitWithCode!(3)).toThrow(ExitError);
    expect(() => exit!({ tag: 'ok' })).toThrow(ExitError);
    // A guest that catches the exit has no grant any more.
    expect(wasi.of('wasi:random/random').getRandomU64!()).not.toBe(first);
    expect(wasi.finish().exitCode).toBe(3);
    expect(wasi.of('wasi:random/random').getRandomU64!()).toBe(first);
  });
});
