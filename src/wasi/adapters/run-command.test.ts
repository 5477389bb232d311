import { describe, expect, it } from 'vitest';
import { withLastWords } from './run-command.ts';

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
