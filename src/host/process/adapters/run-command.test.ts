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
