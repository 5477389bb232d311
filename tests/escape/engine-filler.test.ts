import { expect } from 'vitest';
import {
  withArray,
  withPairs,
  withWideFunction,
  withWideStart,
} from './guests/engine-filler/guest.ts';
import { escapeCase } from './support/escape-case.ts';
import {
  expectFailure,
  expectRefused,
  expectSuccess,
  installAndGo,
  usePlace,
} from './support/place.ts';

/** 64 pages of 64 KiB: with what an engine may take for itself, 388 MiB. */
const place = usePlace({ config: `[limits]\nmax-memory-bytes = ${64 * 65_536}\n` });
const go = (file: string) => installAndGo(place, file, 'engine-filler');
const isTooLarge = {
  code: 'resource-exhausted',
  exit: 5,
  says: /the plugin process took more than 406847488 bytes of memory/,
};

escapeCase('memory of the engine itself', {
  denied: [
    [
      'a function that takes a gigabyte to compile ends with exit 5',
      async () => expectFailure(place, await go(await withWideFunction(2_500)), isTooLarge),
    ],
    [
      'in a start function it is refused with exit 6',
      async () =>
        void (await expectRefused(place, await withWideStart(2_500), /describe.*took more than/)),
    ],
    [
      'an array above the limit, which lies in no memory, ends with exit 5',
      async () => expectFailure(place, await go(await withArray(512)), isTooLarge),
    ],
  ],
  control: [
    'fewer blocks are compiled, and an array that fits is made',
    async () => {
      expect(expectSuccess(await go(await withWideFunction(250)))).toBe(1);
      expect(expectSuccess(await go(await withWideStart(250)))).toBe(1);
      expect(expectSuccess(await go(await withArray(64)))).toBe(64 * 131_072);
    },
  ],
});

escapeCase('types that double', {
  denied: [
    'glue for a hundred thousand parts is not written: the binary is refused with exit 6',
    async () =>
      void (await expectRefused(
        place,
        await withPairs(16),
        /cannot be transpiled: it took more than \d+ bytes of memory/,
      )),
  ],
  control: [
    'a few hundred are a result',
    async () => expect(expectSuccess(await go(await withPairs(5)))).toBe(8),
  ],
});
