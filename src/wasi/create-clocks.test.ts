import { describe, expect, it } from 'vitest';
import { type Guest, openWasi } from '../../tests/support/open-wasi.ts';

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
