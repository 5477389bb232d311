import { describe, expect, it } from 'vitest';
import { openWasi } from '../../tests/support/open-wasi.ts';

const counting = () => {
  let drawn = 0;
  return (_: string, [length]: readonly unknown[]) =>
    Uint8Array.from({ length: length as number }, () => drawn++ % 251);
};

describe('createRandom()', () => {
  it('takes random bytes from the kernel, many guests’ requests at once', () => {
    const wasi = openWasi({ answer: counting() });
    const { getRandomBytes, getRandomU64 } = wasi.of('wasi:random/random');
    expect(getRandomBytes!(3n)).toEqual(Uint8Array.of(0, 1, 2));
    expect(getRandomU64!()).toBe(0x0a09080706050403n);
    for (let time = 0; time < 400; time += 1) getRandomBytes!(10n);
    expect(wasi.asked).toEqual([{ call: 'random.bytes', args: [4096] }]);
    expect((getRandomBytes!(100_000n) as Uint8Array).length).toBe(100_000);
    expect(wasi.asked.every(({ args }) => (args[0] as number) <= 65_536)).toBe(true);
  });

  it('gives one seed in a call, and another in the next', () => {
    const wasi = openWasi({ answer: counting() });
    const { insecureSeed } = wasi.of('wasi:random/insecure-seed');
    const seed = insecureSeed!();
    expect(insecureSeed!()).toEqual(seed);
    wasi.finish();
    expect(insecureSeed!()).not.toEqual(seed);
  });

  it.each([
    ['without the grant', { denied: { random: 'not granted' } }],
    ['for a pure tool', { effect: 'pure' as const }],
  ])('gives the same bytes in every call %s, and asks nobody', (_, options) => {
    const wasi = openWasi(options);
    const read = () => [
      wasi.of('wasi:random/random').getRandomBytes!(20n),
      wasi.of('wasi:random/insecure').getInsecureRandomU64!(),
      wasi.of('wasi:random/insecure-seed').insecureSeed!(),
    ];
    const first = read();
    expect(new Set(first[0] as Uint8Array).size).toBeGreaterThan(10);
    wasi.finish();
    expect(read()).toEqual(first);
    expect(wasi.asked).toEqual([]);
  });

  it('refuses a length that no answer should have, and a value that is not a length', () => {
    const { getRandomBytes } = openWasi({ answer: counting() }).of('wasi:random/random');
    expect(() => getRandomBytes!(2n ** 64n - 1n)).toThrow(/more than 1048576/);
    expect(() => getRandomBytes!(-1n)).toThrow(/not a u64/);
    expect(() => getRandomBytes!(8)).toThrow(/not a u64/);
  });
});
