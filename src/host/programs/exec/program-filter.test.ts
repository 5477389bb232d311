import { describe, expect, it } from 'vitest';
import { runFilter } from '../../../../tests/support/run-filter.ts';
import { programFilter } from './program-filter.ts';

const x86 = 0xc000_003e;
const arm = 0xc000_00b7;
const allow = 0x7fff_0000;
const notPermitted = 0x5_0001;

/** ptrace, modify_ldt, and the first and last of each kind of old IPC. */
const onX64 = [101, 154, 29, 31, 64, 71, 220, 240, 245];
const onArm = [117, 180, 185, 186, 197];

describe('programFilter()', () => {
  it.each([
    ['x64', x86, { read: 0, execve: 59, connect: 42, fork: 57 }, onX64, 56, 41, 16],
    ['arm64', arm, { read: 63, execve: 221, connect: 203 }, onArm, 220, 198, 29],
  ] as const)(
    'on %s takes away what leads out and leaves what programs use',
    (name, audit, allowed, denied, clone, socket, ioctl) => {
      const filter = programFilter(name) as Buffer;
      const run = (call: number, first = 0, second = 0) =>
        runFilter(filter, audit, call, first, second);
      for (const call of Object.values(allowed)) expect(run(call)).toBe(allow);
      for (const call of [...denied, 425, 427, 428, 433, 438, 442, 467, 0x4000_0000]) {
        expect(run(call), String(call)).toBe(notPermitted);
      }
      // Threads and processes, no namespace of any kind.
      for (const flags of [0x1_0000, 0x1200011, 17]) expect(run(clone, flags)).toBe(allow);
      for (const bit of [17, 25, 26, 27, 28, 29, 30]) {
        expect(run(clone, 2 ** bit + 17)).toBe(notPermitted);
      }
      expect(run(435)).toBe(0x5_0026);
      for (const family of [1, 2, 10, 16]) expect(run(socket, family)).toBe(allow);
      for (const family of [0, 3, 17, 31, 38, 40]) expect(run(socket, family)).toBe(0x5_0061);
      for (const command of [0x5412, 0x541c]) expect(run(ioctl, 0, command)).toBe(notPermitted);
      expect(run(ioctl, 0x5412, 0x5401)).toBe(allow);
      expect(runFilter(filter, name === 'x64' ? arm : x86, 0)).toBe(0x8000_0000);
    },
  );

  it('is none where the numbers of the calls are not known', () => {
    expect(programFilter('riscv64')).toBeUndefined();
  });
});
