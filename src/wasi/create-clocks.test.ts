import { describe, expect, it } from 'vitest';
import { type Guest, openWasi, payloadOf } from '../../tests/support/open-wasi.ts';

type Datetime = { seconds: bigint; nanoseconds: number };
const wallOf = (wasi: ReturnType<typeof openWasi>): Datetime =>
  wasi.of('wasi:clocks/wall-clock').now!() as Datetime;

describe('createClocks()', () => {
  it('gives real time with the grant and notes each clock once', () => {
    const wasi = openWasi();
    const before = Math.floor(Date.now() / 1000);
    expect(Number(wallOf(wasi).seconds)).toBeGreaterThanOrEqual(before);
    const { now } = wasi.of('wasi:clocks/monotonic-clock');
    const first = now!() as bigint;
    expect((now!() as bigint) >= first).toBe(true);
    expect(wasi.calls.map(({ call, target }) => `${call} ${target}`)).toEqual([
      'clock.now-ms wall',
      'clock.now-ms monotonic',
    ]);
  });

  it.each([
    ['without the grant', { denied: { clock: 'not granted' } }],
    ['for a pure tool', { effect: 'pure' as const }],
  ])('gives the same time in every call %s', (_, options) => {
    const wasi = openWasi(options);
    const read = () => [wallOf(wasi), wallOf(wasi), wasi.of('wasi:clocks/monotonic-clock').now!()];
    const first = read();
    expect((first[0] as Datetime).seconds).toBe(1_577_836_800n);
    expect(first[1]).not.toEqual(first[0]);
    wasi.finish();
    expect(read()).toEqual(first);
    expect(wasi.calls).toEqual([]);
  });

  it('lets a guest without the grant sleep for an age in no time', () => {
    const wasi = openWasi({ denied: { clock: 'not granted' } });
    const { now, subscribeDuration, subscribeInstant } = wasi.of('wasi:clocks/monotonic-clock');
    const day = 86_400_000_000_000n;
    const pollable = subscribeDuration!(day) as Guest;
    expect(pollable.ready!()).toBe(false);
    pollable.block!();
    expect(pollable.ready!()).toBe(true);
    expect((now!() as bigint) > day).toBe(true);
    const late = subscribeInstant!(2n ** 64n - 1n) as Guest;
    const soon = subscribeDuration!(5n) as Guest;
    expect(wasi.of('wasi:io/poll').poll!([late, soon])).toEqual(Uint32Array.of(1));
  });

  it('really sleeps with the grant', () => {
    const wasi = openWasi();
    const { now, subscribeDuration } = wasi.of('wasi:clocks/monotonic-clock');
    const from = now!() as bigint;
    (subscribeDuration!(3_000_000n) as Guest).block!();
    expect((now!() as bigint) - from >= 3_000_000n).toBe(true);
  });

  it('takes no list of nothing, and no pollable that it did not make', () => {
    const wasi = openWasi();
    const { poll } = wasi.of('wasi:io/poll');
    expect(() => poll!([])).toThrow(/poll takes/);
    expect(() => poll!([{}])).toThrow(/no pollable/);
  });
});

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

describe('createSockets()', () => {
  it.each([
    ['wasi:sockets/tcp-create-socket', 'createTcpSocket', ['ipv4']],
    ['wasi:sockets/udp-create-socket', 'createUdpSocket', ['ipv6']],
    ['wasi:sockets/ip-name-lookup', 'resolveAddresses', [{}, 'example.org']],
  ])('denies %s, and notes it', (name, call, args) => {
    const wasi = openWasi();
    wasi.of('wasi:sockets/instance-network').instanceNetwork!();
    expect(payloadOf(() => wasi.of(name)[call]!(...args))).toBe('access-denied');
    expect(wasi.calls).toMatchObject([{ outcome: 'denied' }]);
    expect(wasi.calls[0]!.call).toMatch(/^network\./);
  });
});
