import { describe, expect, it } from 'vitest';
import { seccompFilter } from './seccomp-filter.ts';

const x86 = 0xc000_003e;
const arm = 0xc000_00b7;
const allow = 0x7fff_0000;
const kill = 0x8000_0000;
const notPermitted = 0x5_0001;
const noSuchCall = 0x5_0026;

/** What the kernel does with the filter: the classic packet filter, as far as it is used. */
function run(filter: Buffer, architecture: number, call: number, firstArgument = 0): number {
  const seen = new Map([
    [0, call],
    [4, architecture],
    [16, firstArgument],
  ]);
  let accumulator = 0;
  for (let at = 0; ; at += 1) {
    const operation = filter.readUInt16LE(at * 8);
    const value = filter.readUInt32LE(at * 8 + 4);
    const jump = (holds: boolean) => filter.readUInt8(at * 8 + (holds ? 2 : 3));
    if (operation === 0x20) accumulator = seen.get(value) ?? Number.NaN;
    else if (operation === 0x15) at += jump(accumulator === value);
    else if (operation === 0x35) at += jump(accumulator >= value);
    else if (operation === 0x45) at += jump((accumulator & value) !== 0);
    else if (operation === 0x06) return value;
    else throw new Error(`operation ${operation}`);
  }
}

describe('seccompFilter()', () => {
  it.each([
    [
      'x64',
      x86,
      { read: 0, execve: 59, openat: 257 },
      { socket: 41, fork: 57, ptrace: 101, last: 323 },
      56,
    ],
    [
      'arm64',
      arm,
      { read: 63, execve: 221, openat: 56 },
      { socket: 198, ptrace: 117, last: 282 },
      220,
    ],
  ] as const)(
    'on %s denies what a plugin process never needs',
    (name, audit, allowed, denied, clone) => {
      const filter = seccompFilter(name) as Buffer;
      for (const call of Object.values(allowed)) expect(run(filter, audit, call)).toBe(allow);
      for (const call of Object.values(denied)) expect(run(filter, audit, call)).toBe(notPermitted);
      for (const call of [424, 425, 442]) expect(run(filter, audit, call)).toBe(notPermitted);
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
