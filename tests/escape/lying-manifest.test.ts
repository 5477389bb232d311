import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { claiming, withNone, withText, withTwo } from './guests/lying-manifest/guest.ts';
import { escapeCase } from './support/escape-case.ts';
import {
  expectFailure,
  expectRefused,
  expectSuccess,
  installAndGo,
  put,
  usePlace,
} from './support/place.ts';

const place = usePlace({});

escapeCase('manifest that lies', {
  denied: [
    [
      'it asks for less than the binary imports: refused with exit 6',
      async () =>
        void (await expectRefused(
          place,
          await claiming([]),
          /imports clock, which its manifest does not declare/,
        )),
    ],
    [
      'it asks for more',
      async () =>
        void (await expectRefused(
          place,
          await claiming(['clock', 'fs']),
          /wants fs, which the binary does not import/,
        )),
    ],
    [
      'it asks for something else',
      async () =>
        void (await expectRefused(place, await claiming(['fs']), /wants fs.*imports clock/)),
    ],
    [
      'there are two of them',
      async () => void (await expectRefused(place, await withTwo(), /2 manifests/)),
    ],
    [
      'there is none: it is called after its file, wants what it imports, and is granted nothing',
      async () => {
        const file = put(place.dir, 'no-word.wasm', readFileSync(await withNone()));
        const ran = await installAndGo(place, file, 'no-word');
        expect(expectSuccess(ran)).toBe(1);
        const allowed = await place.run('no-word.go', {}, { allow: ['clock'] });
        expect(expectSuccess(allowed)).toBe(0);
      },
    ],
    [
      'it is not a manifest',
      async () => {
        const name = (text: string) =>
          `{"name":${text},"version":"0.1.0","description":"x","wants":[]}`;
        for (const text of [
          '',
          'null',
          '[]',
          '{',
          '{"__proto__":{}}',
          name('"../up"'),
          name('"A"'),
          name('7'),
        ]) {
          await expectRefused(place, await withText(text), /manifest/);
        }
      },
    ],
  ],
  control: [
    'one that tells the truth is installed, and its want is still no grant',
    async () => {
      const ran = await installAndGo(place, await claiming(['clock']), 'lying-manifest');
      expect(expectSuccess(ran)).toBe(1);
      const allowed = await place.run('lying-manifest.go', {}, { allow: ['clock'] });
      expect(expectSuccess(allowed)).toBe(0);
      const none = await place.run('lying-manifest.stop', {});
      expectFailure(place, none, { code: 'not-found', exit: 4 });
    },
  ],
});
