import { closeSync, fstatSync, readFileSync, writeSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openParcel } from '../host/run/open-parcel.ts';
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

linuxOnly('brings a parcel that is filled behind the start, once', () => {
  using parcel = openParcel();
  if (parcel === undefined) throw new Error('there is no parcel');
  expect(parcel.fill([Buffer.from('a'), Buffer.alloc(3_000_000, 'b')])).toBe(true);
  expect(parcel.fill([Buffer.from('c')])).toBe(false);
  expect(readFileSync(parcel.descriptor)).toHaveLength(3_000_001);
});
