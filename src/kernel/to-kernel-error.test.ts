import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { KernelError } from '../contracts/error.ts';
import { toKernelError } from './run-events.ts';

it('toKernelError() names the path and the code of what the system refused', () => {
  const error = toKernelError(thrownBy(() => readFileSync('/')));
  expect(error).toMatchObject({ code: 'unavailable' });
  expect(error.message).toMatch(/EISDIR/);
});

it('toKernelError() tells a full disk as a limit', () => {
  const cause = Object.assign(new Error('full'), { code: 'ENOSPC', syscall: 'write', path: '/x' });
  expect(toKernelError(cause)).toMatchObject({
    code: 'resource-exhausted',
    message: '/x failed: the disk is full (ENOSPC)',
  });
});

it.each([
  ['ENOSPC', /^Free some space/],
  ['EMFILE', /ulimit -Hn/],
  ['ENFILE', /hold many files open/],
  ['ENOMEM', /much memory/],
])('toKernelError() says of %s what helps against it', (code, words) => {
  const cause = Object.assign(new Error(code), { code, syscall: 'open', path: '/x' });
  const { hint } = toKernelError(cause);
  expect(hint).toMatch(words);
  if (code !== 'ENOSPC') expect(hint).not.toContain('space');
});

it('toKernelError() looks into what was called a bug', () => {
  const cause = Object.assign(new Error('full'), { code: 'ENOSPC', syscall: 'write' });
  expect(toKernelError(KernelError.from(cause, 'internal'))).toMatchObject({
    code: 'resource-exhausted',
    message: 'the system call write failed: the disk is full (ENOSPC)',
  });
  const bug = KernelError.from(cause, 'internal');
  const around = new KernelError('internal', `file.read: ${bug.message}`, { cause: bug });
  expect(toKernelError(around).code).toBe('resource-exhausted');
  expect(toKernelError(KernelError.from(cause, 'plugin-fault')).code).toBe('plugin-fault');
});

it('toKernelError() keeps an error of ours, and calls any other a bug', () => {
  const ours = new KernelError('conflict', 'changed');
  expect(toKernelError(ours)).toBe(ours);
  expect(toKernelError(new TypeError('x is undefined')).code).toBe('internal');
  expect(toKernelError('a string').code).toBe('internal');
});

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (thrown) {
    return thrown;
  }
  return undefined;
}
