import { closeSync, fstatSync, readFileSync, writeSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openFileTransfer } from '../host/run/file-transfer.ts';
import { holdBytes } from './nameless-file.ts';

const linuxOnly = it.skipIf(process.platform !== 'linux');

linuxOnly('holds bytes in a file that has no name and cannot be written', () => {
  const descriptor = holdBytes(Buffer.from('held'));
  if (typeof descriptor !== 'number') throw new Error('nothing is held');
  try {
    expect(fstatSync(descriptor).nlink).toBe(0);
    expect(() => writeSync(descriptor, 'x')).toThrow(/EBADF/);
    expect(readFileSync(descriptor, 'utf8')).toBe('held');
  } finally {
    closeSync(descriptor);
  }
});

linuxOnly('brings a transfer that is filled behind the start, once', () => {
  using transfer = openFileTransfer();
  if (transfer === undefined) throw new Error('there is no transfer');
  expect(transfer.fill([Buffer.from('a'), Buffer.alloc(3_000_000, 'b')])).toBe(true);
  expect(transfer.fill([Buffer.from('c')])).toBe(false);
  expect(readFileSync(transfer.descriptor)).toHaveLength(3_000_001);
});
