import { describe, expect, it } from 'vitest';
import type { WasiImports, WasiOutcome } from '../create-wasi-imports.ts';
import { ExitError } from '../resource.ts';
import type { CallResult } from './call-function.ts';
import { logOutput, runProgramTool, withLastWords } from './run-command.ts';

const told = (stderr: string): string => {
  const outcome = { stdout: Buffer.alloc(0), stderr: Buffer.from(stderr) };
  return (withLastWords(new Error('unreachable'), outcome) as Error).message;
};

describe('withLastWords()', () => {
  it('says in one line what a guest wrote before it trapped', () => {
    expect(told('')).toBe('unreachable');
    expect(told('panicked at main.rs:1:\n  boom\n')).toBe(
      'unreachable; it wrote: panicked at main.rs:1: boom',
    );
  });

  it('leaves a trap a trap, and tells the denial and the limit before it', () => {
    const stderr = Buffer.from('died');
    const outcome = { stdout: Buffer.alloc(0), stderr, denied: 'no fs', limited: 'one file' };
    const trap = new WebAssembly.RuntimeError('unreachable');
    expect(withLastWords(trap, outcome)).toMatchObject({
      name: 'RuntimeError',
      message:
        'unreachable; before that it was denied: no fs; ' +
        'before that it reached a limit: one file; it wrote: died',
    });
  });

  it('keeps both ends of a long text: the message stands before the stack or behind it', () => {
    const stack = 'at f (main.js:1:2)\n'.repeat(50);
    const javascript = told(`boom\nStack:\n${stack}`);
    expect(javascript).toMatch(/^unreachable; it wrote: boom Stack: at f .* … /);
    const python = told(`Traceback\n${stack}ValueError: boom\n`);
    expect(python).toMatch(/ValueError: boom$/);
    for (const message of [javascript, python])
      expect(message).toHaveLength('unreachable; it wrote: '.length + 200);
    expect(told('😀'.repeat(200)).isWellFormed()).toBe(true);
  });
});

const logged = (text: string): string[] => {
  const lines: string[] = [];
  logOutput((level, line) => lines.push(`${level} ${line}`), 'info', Buffer.from(text));
  return lines;
};

describe('logOutput()', () => {
  it('gives line by line what was written, and nothing for nothing', () => {
    expect(logged('one\r\n\ntwo\n')).toEqual(['info one', 'info ', 'info two']);
    expect(logged('\n')).toEqual([]);
  });

  it('says how many lines it left out, before the limit of the log is reached', () => {
    const lines = logged('a finding\n'.repeat(5000));
    expect(lines.at(-1)).toBe(`info … ${5000 - lines.length + 1} more lines are left out`);
    expect(lines.join('').length).toBeLessThan(65_536 / 2);
  });
});

/** A program that was given these and left that. */
function call(left: Partial<WasiOutcome> & { out?: string; error?: string }): {
  answer: { content: string; summary: string } | { tag: string; val: string };
  given: { args: readonly string[]; stdin: string };
  logged: string[];
} {
  const logged: string[] = [];
  const given = { args: [] as readonly string[], stdin: '' };
  const { out = '', error = '', exitCode = 0, ...rest } = left;
  const outcome = {
    stdout: Buffer.from(out),
    stderr: Buffer.from(error),
    exitCode,
    overflow: undefined,
    lost: [],
    ...rest,
  } as WasiOutcome;
  const wasi = {
    begin: (input: { args: readonly string[]; stdin: Uint8Array }) => {
      given.args = input.args;
      given.stdin = Buffer.from(input.stdin).toString();
    },
    settled: () => undefined,
    finish: () => outcome,
    discard: () => outcome,
  } as unknown as WasiImports;
  const run = (): void => {
    if (exitCode !== 0) throw new ExitError(exitCode);
  };
  const options = {
    wasi,
    program: 'words',
    log: (_: string, text: string) => void logged.push(text),
  };
  try {
    const answer = runProgramTool(
      run,
      { tool: 'count', input: '{"text":"a"}' },
      options,
    ) as Awaited<CallResult>;
    return { answer, given, logged };
  } catch (thrown) {
    return { answer: (thrown as { payload: { tag: string; val: string } }).payload, given, logged };
  }
}

describe('runProgramTool()', () => {
  it('tells the tool by the first argument and hands the input to standard input', () => {
    const { given } = call({ out: '1' });
    expect(given).toEqual({ args: ['words', 'count'], stdin: '{"text":"a"}' });
  });

  it('takes content with a summary, or the content alone', () => {
    expect(call({ out: '{"content":{"n":1},"summary":"one"}\n' }).answer).toEqual({
      content: '{"n":1}',
      summary: 'one',
    });
    expect(call({ out: '{"n":1}\n' }).answer).toEqual({ content: '{"n":1}', summary: '{"n":1}' });
    expect(call({ out: '"text"' }).answer).toEqual({ content: 'text', summary: 'text' });
    // A field more, and it is content.
    expect(call({ out: '{"content":1,"summary":"x","n":1}' }).answer).toMatchObject({
      content: '{"content":1,"summary":"x","n":1}',
    });
  });

  it('keeps the digits of large numbers', () => {
    const out = '{"content":[9007199254740993],"summary":"x"}';
    expect(call({ out }).answer).toMatchObject({ content: '["9007199254740993"]' });
  });

  it.each([
    [2, 'invalid-input'],
    [3, 'denied'],
    [4, 'not-found'],
    [5, 'limit'],
    [7, 'unavailable'],
    [8, 'conflict'],
    [1, 'failed'],
    [42, 'failed'],
  ])('makes exit code %i the error %s, with what was written to standard error', (code, tag) => {
    expect(call({ exitCode: code, error: 'it broke\n' }).answer).toEqual({ tag, val: 'it broke' });
  });

  it('names a denial before whatever code the program ended with', () => {
    const denied = 'fs was not granted';
    expect(call({ exitCode: 4, error: 'no file', denied }).answer).toMatchObject({ tag: 'denied' });
  });

  it('refuses an answer that is not JSON, and none at all', () => {
    expect(call({ out: 'three words' }).answer).toMatchObject({
      tag: 'failed',
      val: 'it answered with something that is not JSON: "three words"',
    });
    expect(call({}).answer).toMatchObject({ tag: 'failed' });
  });

  it('logs what an answering program wrote to standard error', () => {
    expect(call({ out: '1', error: 'slow' }).logged).toEqual(['slow']);
  });
});
