import { expect } from 'vitest';
import {
  connecting,
  crowding,
  drawing,
  forever,
  hoarding,
  reading,
} from './guests/wasi-waiter/guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectFailure, expectSuccess, type PlaceRunOptions, usePlace } from './support/place.ts';

const place = usePlace({});

async function run(file: string, options: PlaceRunOptions = {}, input: unknown = {}) {
  await place.install(file);
  return await place.run('wasi-waiter.run', input, { allow: [], ...options });
}

async function exitOf(file: string, options?: PlaceRunOptions, input?: unknown): Promise<number> {
  return (expectSuccess(await run(file, options, input)) as { exitCode: number }).exitCode;
}

async function expectTrap(file: string, says: RegExp): Promise<void> {
  expectFailure(place, await run(file), { code: 'plugin-fault', exit: 6, says });
}

escapeCase('wasi: poll forever', {
  denied: [
    'with a clock that is real it ends at the deadline',
    async () => {
      const options = { allow: ['clock'], args: ['--timeout', '1'], giveUpMs: 30_000 };
      const ran = await run(await forever(), options);
      expectFailure(place, ran, { code: 'deadline-exceeded', exit: 5 });
    },
  ],
  control: [
    'without the clock all of time passes at once',
    async () => expect(await exitOf(await forever())).toBe(7),
  ],
});

escapeCase('wasi: giant lengths', {
  denied: [
    [
      'a read of everything gives what there is',
      async () => {
        const input = { stdin: 'ten bytes.' };
        expect(await exitOf(await reading('-1'), {}, input)).toBe(10);
        expect(await exitOf(await reading('0x7fffffffffffffff'), {}, input)).toBe(10);
      },
    ],
    [
      'random bytes that nobody could hold trap',
      async () => {
        await expectTrap(await drawing('-1'), /more than 1048576 random bytes/);
        await expectTrap(await drawing('1048577'), /more than 1048576 random bytes/);
      },
    ],
  ],
  control: [
    'a megabyte is drawn, four bytes are read',
    async () => {
      expect(await exitOf(await drawing('40000'))).toBe(9);
      expect(await exitOf(await reading('4'), {}, { stdin: 'ten bytes.' })).toBe(4);
    },
  ],
});

escapeCase('wasi: thousands of pollables', {
  denied: [
    ['kept', async () => await expectTrap(await hoarding(5000), /more than 4096 WASI resources/)],
    ['polled at once', async () => await expectTrap(await crowding(5000), /1 to 4096 pollables/)],
    ['a poll of none', async () => await expectTrap(await crowding(0), /1 to 4096 pollables/)],
  ],
  control: [
    'hundreds are served',
    async () => {
      expect(await exitOf(await hoarding(500))).toBe(8);
      expect(await exitOf(await crowding(200))).toBe(200);
    },
  ],
});

escapeCase('wasi: sockets', {
  denied: [
    'one is denied, whatever is granted, and the program goes on to tell of it',
    async () => {
      const allow = ['fs:work', 'http:https://example.org', 'clock', 'random', 'kv'];
      const ran = await run(await connecting(), { allow });
      const says = /no plugin can be granted sockets; the program ended with exit code 101$/;
      expectFailure(place, ran, { code: 'permission-denied', exit: 3, says });
      expect(ran.error?.hint).toContain('No grant gives sockets');
    },
  ],
  control: [
    'the same imports do no harm to a program that opens none',
    async () => expect(await exitOf(await reading('4'), {}, { stdin: 'four' })).toBe(4),
  ],
});
