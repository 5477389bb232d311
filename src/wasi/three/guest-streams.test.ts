import { describe, expect, it } from 'vitest';
import { StreamFault } from '../io/create-io.ts';
import { createResourceCount, WasiFailure } from '../resource.ts';
import { createGuestStreams } from './guest-streams.ts';

const codeOf = ({ text }: { text: string }): string => text;
const full = new StreamFault({ text: 'full' });

/** A stream that a guest writes; `null` is a piece that never comes. */
function guestStream(pieces: Iterable<readonly number[] | null>) {
  const iterator = pieces[Symbol.iterator]();
  const seen = { isDropped: false, reads: 0 };
  const stream = {
    read: async () => {
      seen.reads += 1;
      const { done, value } = iterator.next();
      if (value === null) return await new Promise<never>(() => {});
      return done === true ? { done: true } : { value };
    },
    [Symbol.dispose]: () => {
      seen.isDropped = true;
    },
  };
  return { stream, seen };
}

function* endless(): Generator<number[]> {
  for (;;) yield [1, 2, 3];
}

const open = () => createGuestStreams(createResourceCount(4));
const take = (stream: unknown): unknown[] => [...(stream as Iterable<unknown>)];

describe('createGuestStreams()', () => {
  it('asks its source for a piece when the guest reads, and for no piece ahead', () => {
    const asked: number[] = [];
    const read = (maxBytes: number): Uint8Array => {
      asked.push(maxBytes);
      return new Uint8Array(maxBytes);
    };
    const [stream] = open().reading({ read }, codeOf);
    const iterator = (stream as Iterable<Uint8Array>)[Symbol.iterator]();
    expect(asked).toEqual([]);
    for (let piece = 1; piece <= 400; piece += 1) {
      iterator.next();
      expect(asked.length).toBe(piece);
    }
    expect(Math.max(...asked)).toBeLessThan(1_048_576);
  });

  it('hands on what a guest writes, in order, and closes at the end', async () => {
    const taken: number[] = [];
    let closed = 0;
    const sink = {
      write: (bytes: Uint8Array) => void taken.push(...bytes),
      close: () => {
        closed += 1;
      },
    };
    const { stream, seen } = guestStream([[1], [2, 3], []]);
    expect(await open().writing(stream, sink, codeOf)).toEqual({ tag: 'ok', val: undefined });
    expect([taken, closed, seen.isDropped]).toEqual([[1, 2, 3], 1, true]);
  });

  it('ends a stream without an end where the sink is full, and drops it', async () => {
    let bytes = 0;
    const write = (piece: Uint8Array): void => {
      bytes += piece.length;
      if (bytes > 9) throw full;
    };
    const { stream, seen } = guestStream(endless());
    expect(await open().writing(stream, { write }, codeOf)).toEqual({ tag: 'err', val: 'full' });
    expect([bytes, seen.isDropped]).toEqual([12, true]);
  });

  it('writes nothing for a call that has ended', async () => {
    const streams = open();
    const written: number[] = [];
    const { promise, resolve } = Promise.withResolvers<{ value: number[] }>();
    const stream = { read: () => promise, [Symbol.dispose]: () => {} };
    let settled = false;
    const sink = { write: (bytes: Uint8Array) => void written.push(...bytes) };
    const ended = streams.writing(stream, sink, codeOf).then(() => {
      settled = true;
    });
    streams.reset();
    resolve({ value: [1] });
    await Promise.race([ended, new Promise(setImmediate)]);
    expect([written, settled]).toEqual([[], false]);
  });

  it('waits after a call for what comes still, and not for what never does', async () => {
    const streams = open();
    expect(streams.settled()).toBeUndefined();
    const written: number[] = [];
    const sink = { write: (bytes: Uint8Array) => void written.push(...bytes) };
    const { stream } = guestStream([[1], [2], null]);
    void streams.writing(stream, sink, codeOf);
    await streams.settled();
    expect(written).toEqual([1, 2]);
  });

  it('does not wait for a task that writes for ever', async () => {
    const streams = open();
    let pieces = 0;
    const read = async () => {
      await new Promise(setImmediate);
      pieces += 1;
      return { value: [1] };
    };
    void streams.writing({ read, [Symbol.dispose]: () => {} }, { write: () => {} }, codeOf);
    await streams.settled();
    streams.reset();
    expect(pieces).toBeGreaterThan(0);
  });

  it('gives a source to its end, its error, or where the guest drops it', async () => {
    const streams = open();
    const source = (pieces: (Uint8Array | StreamFault)[]) => {
      const seen = { closed: 0 };
      const read = (): Uint8Array | undefined => {
        const piece = pieces.shift();
        if (piece instanceof StreamFault) throw piece;
        return piece;
      };
      const close = (): void => {
        seen.closed += 1;
      };
      return { read, close, seen };
    };
    const whole = source([Uint8Array.of(1), Uint8Array.of(2)]);
    const [stream, ended] = streams.reading(whole, codeOf);
    expect(take(stream)).toEqual([Uint8Array.of(1), Uint8Array.of(2)]);
    expect([await ended, whole.seen.closed]).toEqual([{ tag: 'ok', val: undefined }, 1]);

    const broken = source([Uint8Array.of(1), full]);
    const [cut, failed] = streams.reading(broken, codeOf);
    expect(take(cut)).toEqual([Uint8Array.of(1)]);
    expect([await failed, broken.seen.closed]).toEqual([{ tag: 'err', val: 'full' }, 1]);

    const dropped = source([Uint8Array.of(1)]);
    const [left, done] = streams.reading(dropped, codeOf);
    (left as Iterable<unknown>)[Symbol.iterator]().return?.();
    expect(take(left)).toEqual([]);
    expect([await done, dropped.seen.closed]).toEqual([{ tag: 'ok', val: undefined }, 1]);
  });

  it('tells what a listing fails with, and lets only so many be open', async () => {
    const streams = open();
    const fail = (): never => {
      throw new WasiFailure('no-entry');
    };
    const [none, failed] = streams.listing(fail);
    expect(take(none)).toEqual([]);
    expect(await failed).toEqual({ tag: 'err', val: 'no-entry' });
    for (let index = 0; index < 4; index += 1) streams.listing(() => [index]);
    expect(() => streams.listing(() => [])).toThrow('more than 4 WASI resources');
  });
});
