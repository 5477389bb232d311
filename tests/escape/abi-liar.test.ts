import { expect } from 'vitest';
import type { Ran } from '../support/run-cuervo.ts';
import {
  catchingExit,
  exitingAtStart,
  exitingInRealloc,
  giving,
  reallocating,
} from './guests/abi-liar/guest.ts';
import { escapeCase } from './support/escape-case.ts';
import {
  expectFailure,
  expectRefused,
  expectSuccess,
  type PlaceRunOptions,
  usePlace,
} from './support/place.ts';

const place = usePlace({});

async function go(file: string, input: unknown = {}, options: PlaceRunOptions = {}): Promise<Ran> {
  await place.install(file);
  return await place.run('abi-liar.go', input, { allow: [], ...options });
}
const isTrap = { code: 'plugin-fault', exit: 6 };
const text = { text: 'hello world' };

escapeCase('address that realloc makes up', {
  denied: [
    [
      'one outside of its memory is a trap, whatever was to be written there',
      async () => {
        for (const address of [-1, -16, 131_070, 0x7fff_fff0]) {
          const ran = await go(await reallocating(`(i32.const ${address})`), text);
          expectFailure(place, ran, isTrap);
        }
      },
    ],
    [
      'one that never comes ends at the deadline',
      async () => {
        const file = await reallocating('(loop $on (br $on)) (i32.const 0)');
        const ran = await go(file, text, { args: ['--timeout', '1'], giveUpMs: 30_000 });
        expectFailure(place, ran, { code: 'deadline-exceeded', exit: 5 });
      },
    ],
  ],
  control: [
    'one inside of it is used, also where the memory has grown meanwhile',
    async () => {
      const grown = '(drop (memory.grow (i32.const 9))) (i32.const 65536)';
      for (const body of ['(i32.const 65537)', grown]) {
        expect(expectSuccess(await go(await reallocating(body), text))).toBe('hello world');
      }
    },
  ],
});

const colours = 'enum colour { red, blue }';
const perms = 'flags perms { look, touch }';

escapeCase('values that their types do not have', {
  denied: [
    'each is a trap and becomes no other value',
    async () => {
      for (const [type, value, declared] of [
        ['char', 0xd800],
        ['char', 0x110000],
        ['colour', 9, colours],
        ['option<u8>', 2],
      ] as const) {
        const ran = await go(await giving(type, value, declared));
        expectFailure(place, ran, isTrap);
      }
    },
  ],
  control: [
    'those that they have are results, and bits that the canonical ABI leaves out change nothing',
    async () => {
      for (const [type, value, is, declared] of [
        ['u8', 255, 255],
        ['char', 0x1f600, '😀'],
        ['colour', 1, 'blue', colours],
        ['perms', 2, ['touch'], perms],
        ['option<u8>', 0, null],
        ['u8', 300, 44],
        ['u8', -1, 255],
        ['s8', 300, 44],
        ['s8', 0x1c8, -56],
        ['u16', 0x7fff_0001, 1],
        ['s16', 40_000, -25_536],
        ['s16', -32_769, 32_767],
        ['bool', 256, true],
        ['perms', 255, ['look', 'touch'], perms],
      ] as const) {
        expect(expectSuccess(await go(await giving(type, value, declared)))).toEqual(is);
      }
    },
  ],
});

escapeCase('exit where nobody waits for it', {
  denied: [
    [
      'while a text is handed over it ends the call',
      async () => {
        const says = /it ended itself with exit code 1/;
        const ran = await go(await exitingInRealloc(), text);
        expectFailure(place, ran, { code: 'tool-failed', exit: 1, says });
      },
    ],
    [
      'one that is caught is no way to go on',
      async () => {
        const ran = await go(await catchingExit(true));
        expectFailure(place, ran, isTrap);
      },
    ],
    [
      'before any call it is a refusal',
      async () => void (await expectRefused(place, await exitingAtStart(), /the guest exited/)),
    ],
  ],
  control: [
    'the same guest that does not exit has a result',
    async () => expect(expectSuccess(await go(await catchingExit(false)))).toBe(77),
  ],
});
