import { closeSync, ftruncateSync, mkdirSync, openSync, readdirSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Outcome } from './guests/attempt.ts';
import { buildGuest } from './support/build-guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { outcomesOf } from './support/outcomes.ts';
import { clear, expectFailure, expectSuccess, put, usePlace } from './support/place.ts';

/** A million takes minutes to make; a walk stops at the same limit of 100,000 with this many. */
const entries = 100_500;

const place = usePlace({
  fill: async (made) => {
    put(made.work, 'small.txt', `${made.inside}\n`);
    sparse(join(made.work, 'sparse.bin'), 1024 ** 4);
    sparse(join(made.work, 'over.txt'), 50 * 1024 * 1024 + 1);
    sparse(join(made.work, 'below.txt'), 0, Buffer.alloc(9 * 1024 * 1024, 'a'));
    await made.install(await buildGuest('giant-reader'));
  },
});

function sparse(path: string, bytes: number, content?: Uint8Array): void {
  const fd = openSync(path, 'w');
  if (content !== undefined) writeSync(fd, content);
  else ftruncateSync(fd, bytes);
  closeSync(fd);
}

const run = (tool: string, input: unknown) => place.run(`giant-reader.${tool}`, input);

escapeCase('huge and sparse files', {
  denied: [
    [
      'a file just above 50 MiB ends with exit 5',
      async () => {
        const ran = await run('read', { path: 'over.txt', maxBytes: 10 });
        expectFailure(place, ran, {
          code: 'resource-exhausted',
          exit: 5,
          says: /52428801 bytes, limit 52428800/,
        });
      },
    ],
    [
      'a sparse file of a tebibyte too, at once',
      async () => {
        const ran = await run('read', { path: 'sparse.bin', maxBytes: 4_294_967_295 });
        expectFailure(place, ran, {
          code: 'resource-exhausted',
          exit: 5,
          says: /1099511627776 bytes/,
        });
      },
    ],
  ],
  control: [
    'a file of 9 MiB is read up to 8, and any part of the sparse one as bytes',
    async () => {
      const text = await run('read', { path: 'below.txt', maxBytes: 4_294_967_295 });
      expect(expectSuccess(text)).toEqual({ length: 8 * 1024 * 1024, truncated: true });
      const bytes = await run('bytes', {
        path: 'sparse.bin',
        offset: 1024 ** 4 - 100,
        length: 1000,
      });
      expect(expectSuccess(bytes)).toEqual({ length: 100 });
    },
  ],
});

escapeCase('giant numbers in every call', {
  denied: [
    [
      'nothing is allocated for a number: each is cut, or refused as invalid',
      async () => {
        const outcomes = outcomesOf(place, await run('giant-numbers', { path: 'small.txt' }));
        expect(outcomes.length).toBe(18);
        for (const outcome of outcomes) {
          if (outcome.ok) expect(outcome.value as number).toBeLessThan(100);
          else expect(outcome.code).toBe('invalid');
        }
      },
    ],
    [
      'negative, fractional, infinite and not-a-number offsets are invalid',
      async () => {
        const outcomes = outcomesOf(place, await run('strange-numbers', { path: 'small.txt' }));
        expect(outcomes.map((outcome) => (outcome.ok ? 'ok' : outcome.code))).toEqual(
          Array.from({ length: 6 }, () => 'invalid'),
        );
      },
    ],
    [
      'a negative offset by itself ends with exit 2',
      async () => {
        const ran = await run('bytes', { path: 'small.txt', offset: -1, length: 1 });
        expectFailure(place, ran, { code: 'invalid-argument', exit: 2, says: /offset is -1/ });
      },
    ],
    [
      'lists and texts of megabytes as arguments are refused by their limits',
      async () => {
        const outcomes = outcomesOf(place, await run('giant-lists', { path: 'work:' }));
        expect(outcomes.map((outcome: Outcome) => (outcome.ok ? 'ok' : outcome.code))).toEqual([
          ...['limit', 'limit', 'limit', 'limit', 'limit', 'invalid'],
        ]);
      },
    ],
  ],
  control: [
    'a count that fits is answered in full',
    async () => {
      const bytes = await run('bytes', { path: 'small.txt', offset: 0, length: 7 });
      expect(expectSuccess(bytes)).toEqual({ length: 7 });
    },
  ],
});

escapeCase('a hundred thousand entries', {
  denied: [
    'list-dir ends with exit 5, and a walk stops at 100,000',
    async () => {
      clear(place.work, 'crowd');
      const folder = join(place.work, 'crowd');
      mkdirSync(folder);
      for (let index = 0; index < entries; index += 1)
        closeSync(openSync(join(folder, `f${index}`), 'w'));
      expect(readdirSync(folder).length).toBe(entries);
      const listed = await run('list', { path: 'crowd' });
      expectFailure(place, listed, {
        code: 'resource-exhausted',
        exit: 5,
        says: /more than 10000 entries/,
      });
      const walked = expectSuccess(await run('walk', { path: 'crowd', limit: 4_294_967_295 }));
      expect(walked).toMatchObject({ entries: 100_000 });
    },
  ],
  control: [
    'a folder of ten thousand is listed',
    async () => {
      clear(place.work, 'group');
      const folder = join(place.work, 'group');
      mkdirSync(folder);
      for (let index = 0; index < 10_000; index += 1)
        closeSync(openSync(join(folder, `f${index}`), 'w'));
      expect(expectSuccess(await run('list', { path: 'group' }))).toEqual({ entries: 10_000 });
    },
  ],
});

escapeCase('deep tree', {
  denied: [
    'a walk of 1,000 folders in each other stops at 128, and a path of that depth is invalid',
    async () => {
      clear(place.work, 'deep');
      let folder = join(place.work, 'deep');
      mkdirSync(folder);
      // PATH_MAX is 4,096 bytes, so that names of two bytes stay below it.
      for (let depth = 0; depth < 1000; depth += 1) {
        folder = join(folder, 'd');
        mkdirSync(folder);
      }
      const walked = expectSuccess(await run('walk', { path: 'deep', limit: 100_000 }));
      expect((walked as { depth: number }).depth).toBeLessThanOrEqual(129);
      const ran = await run('list', { path: `deep${'/d'.repeat(500)}` });
      expectFailure(place, ran, {
        code: 'invalid-argument',
        exit: 2,
        says: /501 segments, limit 128/,
      });
    },
  ],
  control: [
    'a tree of 100 folders is walked to its end',
    async () => {
      put(place.work, `level/${'d/'.repeat(100)}end.txt`, 'x');
      const walked = expectSuccess(await run('walk', { path: 'level', limit: 100_000 }));
      expect(walked).toEqual({ entries: 101, depth: 102 });
    },
  ],
});

escapeCase('pattern that backtracks for ever', {
  denied: [
    [
      'it is matched in linear time',
      async () => {
        put(place.work, 'backtrack/long.txt', `${'a'.repeat(60)}!\n`);
        for (const pattern of ['^(a+)+$', '^(\\p{L}+)+$']) {
          const ran = await run('scan', { path: 'backtrack', pattern });
          expect(expectSuccess(ran)).toEqual({ matches: 0 });
        }
      },
    ],
    [
      'one that only trying can match is refused with the reason, and its process goes on',
      async () => {
        put(place.work, 'backtrack/long.txt', `${'a'.repeat(60)}!\n`);
        const ran = await run('scan', { path: 'backtrack', pattern: '^(?=a)(a+)+$' });
        expectFailure(place, ran, { code: 'invalid-argument', exit: 2, says: /within 2000 ms/ });
      },
    ],
  ],
  control: [
    'the same pattern on a line that matches is quick',
    async () => {
      put(place.work, 'quick/long.txt', `${'a'.repeat(60)}\n`);
      const ran = await run('scan', { path: 'quick', pattern: '^(a+)+$' });
      expect(expectSuccess(ran)).toEqual({ matches: 1 });
    },
  ],
});

/** Where a line may define something, of each of its words. */
const words = (count: number): string => `${'a '.repeat(count)}function wide() {}\n`;
const outline = async (path: string) =>
  expectSuccess(await place.run('search.symbols', { path })) as {
    symbols: { name: string }[];
    cut?: string;
  };

escapeCase('file in which a pattern needs more stack than there is', {
  denied: [
    'it takes no other file along, and is named as not searched',
    async () => {
      put(place.work, 'stack/first.ts', 'function first() {}\n');
      put(place.work, 'stack/hostile.ts', words(5_000_000));
      put(place.work, 'stack/last.ts', 'function last() {}\n');
      const { symbols, cut } = await outline('stack');
      expect(symbols.map(({ name }) => name)).toEqual(['first', 'last']);
      expect(cut).toContain('not searched: the rest of stack/hostile.ts');
    },
  ],
  control: [
    'with fewer words on its line all of them are searched',
    async () => {
      put(place.work, 'shallow/first.ts', 'function first() {}\n');
      put(place.work, 'shallow/second.ts', words(5));
      const { symbols, cut } = await outline('shallow');
      expect(symbols.map(({ name }) => name)).toContain('first');
      expect(cut).toBeUndefined();
    },
  ],
});
