import { expect } from 'vitest';
import { withFunction, withInterface, withNothing } from './guests/stranger-imports/guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectRefused, expectSuccess, installAndGo, usePlace } from './support/place.ts';

const place = usePlace({});

escapeCase('unknown imports', {
  denied: [
    [
      'a package that nobody offers is refused with exit 6',
      async () =>
        void (await expectRefused(
          place,
          await withInterface('evil:door/open@1.0.0'),
          /cuervo does not offer/,
        )),
    ],
    [
      'so is what WASI does not have, and what it has in versions that are not served',
      async () => {
        for (const name of [
          'wasi:filesystem/door@0.2.0',
          'wasi:cli/environment@0.2.0-rc-2023-11-10',
        ]) {
          await expectRefused(place, await withInterface(name), /not served by this version/);
        }
        for (const [name, why] of [
          ['wasi:cli/stdin@0.4.0', /of a WASI after 0\.3/],
          ['wasi:cli/stdin@0.3.0-rc-2025-09-16', /of a draft of WASI 0\.3/],
          ['wasi:sockets/types@0.3.0', /no plugin may/],
        ] as const)
          await expectRefused(place, await withInterface(name), why);
      },
    ],
    [
      'so are an interface that cuervo:host does not have and a bare function',
      async () => {
        await expectRefused(
          place,
          await withFunction('run-shell'),
          /not an interface of cuervo:host/,
        );
      },
    ],
  ],
  control: [
    'a component that imports nothing runs',
    async () => {
      const ran = await installAndGo(place, await withNothing(), 'stranger-imports');
      expect(expectSuccess(ran)).toBe(1);
    },
  ],
});
