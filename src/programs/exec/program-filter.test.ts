import { describe, expect, it } from 'vitest';
import { runFilter } from '../../../tests/support/run-filter.ts';
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

  /** The place of flags and mode among the arguments, by the manual pages of section 2. */
  const opens: Record<string, readonly (readonly [call: number, flags: number])[]> = {
    x64: [
      [2, 1],
      [257, 2],
    ], // open, openat
    arm64: [[56, 2]],
  };
  const modes: Record<string, readonly (readonly [call: number, mode: number])[]> = {
    x64: [
      [85, 1],
      [90, 1],
      [91, 1],
      [268, 2],
      [452, 2],
      [133, 1],
      [259, 2],
    ],
    arm64: [
      [52, 1],
      [53, 2],
      [452, 2],
      [33, 2],
    ],
  };

  it.each([
    ['x64', x86, [188, 189, 190, 463]],
    ['arm64', arm, [5, 6, 7, 463]],
  ] as const)('on %s lets no file be made that is more outside', (name, audit, attributes) => {
    const filter = programFilter(name) as Buffer;
    const at = (index: number, value: number): number[] => [...Array(index).fill(0), value];
    for (const [call, place] of modes[name] ?? []) {
      for (const mode of [0o4755, 0o2755, 0o6000, 0o104755, 0o20666, 0o60666])
        expect(runFilter(filter, audit, call, ...at(place, mode)), `${call}`).toBe(notPermitted);
      for (const mode of [0, 0o755, 0o1777, 0o100644, 0o10644, 0o140755])
        expect(runFilter(filter, audit, call, ...at(place, mode)), `${call}`).toBe(allow);
    }
    for (const [call, place] of opens[name] ?? []) {
      const open = (flags: number, mode: number) =>
        runFilter(filter, audit, call, ...at(place, flags), mode);
      for (const flags of [0o101, 0o20200002, 0o20000000])
        for (const mode of [0o4755, 0o2755, 0o6777]) expect(open(flags, mode)).toBe(notPermitted);
      expect(open(0o101, 0o755)).toBe(allow);
      // Nothing is made, and the register holds whatever it held.
      for (const flags of [0, 0o2, 0o200000]) expect(open(flags, 0o4755)).toBe(allow);
    }
    for (const call of attributes) expect(runFilter(filter, audit, call)).toBe(0x5_005f);
    expect(runFilter(filter, audit, 437)).toBe(0x5_0026);
  });

  it.each([
    ['x64', x86, 54, 278],
    ['arm64', arm, 208, 75],
  ] as const)(
    'on %s keeps the buffers of sockets as they are',
    (name, audit, setsockopt, vmsplice) => {
      const filter = programFilter(name) as Buffer;
      const set = (level: number, option: number) =>
        runFilter(filter, audit, setsockopt, 3, level, option);
      for (const option of [7, 8, 32, 33]) expect(set(1, option)).toBe(0x5_0000);
      for (const option of [2, 9, 15, 20]) expect(set(1, option)).toBe(allow);
      for (const option of [7, 8, 1]) expect(set(6, option)).toBe(allow);
      expect(runFilter(filter, audit, vmsplice)).toBe(notPermitted);
    },
  );

  it('is none where the numbers of the calls are not known', () => {
    expect(programFilter('riscv64')).toBeUndefined();
  });
});
