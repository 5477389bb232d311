import { closeSync, fstatSync, readFileSync, writeSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openFileTransfer } from '../host/run/file-transfer.ts';
import { holdBytes, permitNamespaces } from './launch-bubblewrap.ts';

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

describe('permitNamespaces', () => {
  it('names each setting that forbids them, with the value that permits them', () => {
    const values: Record<string, string> = {
      'user.max_user_namespaces': '0',
      'kernel.unprivileged_userns_clone': '1',
      'kernel.apparmor_restrict_unprivileged_userns': '1',
    };
    expect(permitNamespaces((name) => values[name])).toBe(
      'sudo sysctl -w user.max_user_namespaces=15000 kernel.apparmor_restrict_unprivileged_userns=0',
    );
  });

  it('speaks of the container where no setting forbids them', () => {
    expect(permitNamespaces(() => undefined)).toMatch(/^permit user namespaces in the container/);
  });
});
