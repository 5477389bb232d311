import { describe, expect, it } from 'vitest';
import { runFilter as run } from '../../tests/support/run-filter.ts';
import { seccompFilter } from './seccomp-filter.ts';

const x86 = 0xc000_003e;
const arm = 0xc000_00b7;
const allow = 0x7fff_0000;
const kill = 0x8000_0000;
const notPermitted = 0x5_0001;
const noSuchCall = 0x5_0026;

describe('seccompFilter()', () => {
  it.each([
    [
      'x64',
      x86,
      { read: 0, execve: 59, openat: 257 },
      {
        socket: 41,
        fork: 57,
        ptrace: 101,
        modifyLdt: 154,
        shmget: 29,
        semget: 64,
        shmdt: 67,
        msgctl: 71,
        semtimedop: 220,
        mqOpen: 240,
        mqGetsetattr: 245,
        last: 323,
      },
      56,
    ],
    [
      'arm64',
      arm,
      { read: 63, execve: 221, openat: 56 },
      { socket: 198, ptrace: 117, mqOpen: 180, msgget: 186, shmdt: 197, last: 282 },
      220,
    ],
  ] as const)(
    'on %s denies what a plugin process never needs',
    (name, audit, allowed, denied, clone) => {
      const filter = seccompFilter(name) as Buffer;
      for (const call of Object.values(allowed)) expect(run(filter, audit, call)).toBe(allow);
      for (const call of Object.values(denied)) expect(run(filter, audit, call)).toBe(notPermitted);
      for (const call of [424, 425, 442, 467]) expect(run(filter, audit, call)).toBe(notPermitted);
      expect(run(filter, audit, 435)).toBe(noSuchCall);
      expect(run(filter, audit, clone, 0x1_0000)).toBe(allow);
      expect(run(filter, audit, clone, 0x1200011)).toBe(notPermitted);
      expect(run(filter, name === 'x64' ? arm : x86, 0)).toBe(kill);
      expect(run(filter, audit, 0x4000_0000)).toBe(notPermitted);
    },
  );

  it('is none where the numbers of the calls are not known', () => {
    expect(seccompFilter('riscv64')).toBeUndefined();
  });
});
