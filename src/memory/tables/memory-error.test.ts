import { describe, expect, it } from 'vitest';
import { KernelError } from '../../contracts/error.ts';
import { toMemoryError } from './table-place.ts';

describe('toMemoryError()', () => {
  it.each([
    [
      'lance error: No space left on device (os error 28)',
      'resource-exhausted',
      'the disk is full',
    ],
    ['Permission denied (os error 13)', 'unavailable', 'is not accessible to this user'],
    [
      'bad manifest, /usr/local/cargo/registry/src/x.rs:1:2  Caused by: more\nand more',
      'unavailable',
      'the memory in /d cannot be used: bad manifest',
    ],
  ])('says %j in one sentence', (message, code, part) => {
    const error = toMemoryError(new Error(message), '/d');
    expect(error.code).toBe(code);
    expect(error.message).toContain(part);
    expect(error.message).not.toMatch(/\n|cargo|Caused by/);
    expect(error.hint).toBeTruthy();
  });

  it('never says of a query that took too long that the folder is damaged', () => {
    const thrown = new Error(
      'Failed to get next batch from stream: lance error: Query Execution error: Execution error: Query timeout after 10000 ms, /registry/scanner.rs:7238:66',
    );
    expect(toMemoryError(thrown, '/d')).toMatchObject({
      code: 'unavailable',
      message: 'the memory in /d did not answer in time',
      hint: expect.not.stringContaining('mv '),
    });
  });

  it('passes on what is a KernelError already', () => {
    const error = new KernelError('canceled', 'stop');
    expect(toMemoryError(error, '/d')).toBe(error);
  });
});
