import { expect } from 'vitest';
import { constructed, guessed, honest, inherited } from './guests/wasi-forger/guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectFailure, expectSuccess, usePlace } from './support/place.ts';

const place = usePlace({});

const all = ['fs:work', 'fs-write:work'];

async function exitOf(file: string, allow: string[]): Promise<number> {
  await place.install(file);
  const ran = await place.run('wasi-forger.run', {}, { allow });
  return (expectSuccess(ran) as { exitCode: number }).exitCode;
}

async function expectTrap(file: string, says: RegExp): Promise<void> {
  await place.install(file);
  const before = place.state();
  const ran = await place.run('wasi-forger.run', {}, { allow: all });
  expectFailure(place, ran, { code: 'plugin-fault', exit: 6, says });
  expect(place.state()).toBe(before);
}

escapeCase('wasi: forged descriptors', {
  denied: [
    [
      'one of a constructor that there is not',
      async () => await expectTrap(await constructed(), /made by the host alone/),
    ],
    [
      'handles that nobody gave out',
      async () => {
        for (const handle of [0, 1, 7, 0x7fffffff, -1]) {
          await expectTrap(await guessed(handle), /trapped/);
        }
      },
    ],
    [
      'functions that every object inherits',
      async () => await expectTrap(await inherited(), /trapped/),
    ],
  ],
  control: [
    'the preopens work, two with the grant and one that is shut without',
    async () => {
      expect(await exitOf(await honest(), all)).toBe(12);
      expect(await exitOf(await honest(), [])).toBe(11);
    },
  ],
});
