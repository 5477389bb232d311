import { symlinkSync } from 'node:fs';
import { expect } from 'vitest';
import { buildGuest } from './support/build-guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { answered, expectAllRefused, outcomesOf } from './support/outcomes.ts';
import { expectFailure, expectSuccess, put, usePlace } from './support/place.ts';

const place = usePlace({
  fill: async (made) => {
    put(made.work, 'sub/deep/file.txt', made.inside);
    put(made.work, 'a b/ünï.txt', made.inside);
    put(made.work, 'work:inside.txt', made.inside);
    symlinkSync('deep', `${made.work}/sub/alias`);
    await made.install(await buildGuest('crooked-paths'));
  },
});

const read = (path: string) => place.run('crooked-paths.read', { path });
const tryAll = async (paths: readonly string[]) =>
  outcomesOf(place, await place.run('crooked-paths.try-all', { paths }));

escapeCase('no grant', {
  denied: [
    'a file of the workspace, when nobody granted fs',
    async () => {
      const before = place.state();
      const ran = await place.run('crooked-paths.read', { path: 'inside.txt' }, { allow: [] });
      expectFailure(place, ran, { code: 'permission-denied', exit: 3, says: /was not granted fs/ });
      expect(ran.stdout).not.toContain(place.inside);
      expect(ran.error?.hint).toContain('--allow fs:work');
      expect(place.state()).toBe(before);
    },
  ],
  control: [
    'the same call with --allow fs:work reads it',
    async () => {
      expect(expectSuccess(await read('inside.txt'))).toBe(`${place.inside}\n`);
    },
  ],
});

escapeCase('parent path', {
  denied: [
    [
      'a single step up ends with exit 2',
      async () => {
        const before = place.state();
        const ran = await read('../outside/secret.txt');
        expectFailure(place, ran, { code: 'invalid-argument', exit: 2, says: /segment "\.\."/ });
        expect(place.state()).toBe(before);
      },
    ],
    [
      'every spelling, in every call',
      async () => {
        const paths = [
          '..',
          'work:..',
          '../outside',
          'sub/../../outside/secret.txt',
          'sub/deep/../../../outside/secret.txt',
          'sub/alias/../../../outside/secret.txt',
          './../outside/secret.txt',
          'work:sub/..',
          'sub/.././inside.txt',
          `${'../'.repeat(60)}etc/hostname`,
        ];
        expectAllRefused(await tryAll(paths), ['invalid']);
      },
    ],
    [
      'dots that are not parent stay names',
      async () => {
        const paths = ['...', '..a', 'sub/..%2f', '%2e%2e/outside/secret.txt', '．．/outside'];
        expectAllRefused(await tryAll(paths), ['not-found']);
      },
    ],
  ],
  control: [
    'a path below the root, three folders deep',
    async () => {
      expect(expectSuccess(await read('sub/deep/file.txt'))).toBe(place.inside);
    },
  ],
});

escapeCase('absolute path', {
  denied: [
    [
      'a file of the system ends with exit 2',
      async () => {
        const ran = await read('/etc/hostname');
        expectFailure(place, ran, { code: 'invalid-argument', exit: 2, says: /is absolute/ });
      },
    ],
    [
      'every spelling, in every call',
      async () => {
        const paths = [
          `${place.outside}/secret.txt`,
          `work:${place.outside}/secret.txt`,
          '/',
          'work:/',
          'work://etc/hostname',
          '//etc/hostname',
          '/proc/self/root/etc/hostname',
          '/proc/self/fd/5/inside.txt',
        ];
        expectAllRefused(await tryAll(paths), ['invalid']);
        expectAllRefused(await tryAll(['file:///etc/hostname', 'C:/windows']), [
          'denied',
          'invalid',
        ]);
      },
    ],
  ],
  control: [
    'the same file by its path below the root',
    async () => {
      expect(expectSuccess(await read('work:inside.txt'))).toBe(`${place.inside}\n`);
    },
  ],
});

escapeCase('forged root', {
  denied: [
    [
      'a root that was not granted ends with exit 3',
      async () => {
        const ran = await read('home:inside.txt');
        expectFailure(place, ran, {
          code: 'permission-denied',
          exit: 3,
          says: /root "home" is not granted/,
        });
      },
    ],
    [
      'roots by number, by prototype, by another spelling',
      async () => {
        const roots = [
          '5',
          '0',
          '-1',
          'WORK',
          'work ',
          ' work',
          'wоrk',
          '',
          '__proto__',
          'constructor',
        ];
        const paths = roots.map((name) => `${name}:inside.txt`);
        expectAllRefused(await tryAll(paths), ['denied', 'invalid']);
      },
    ],
    [
      'a second root inside the path is a name like any other',
      async () => {
        const paths = ['work:home:inside.txt', 'sub/work:inside.txt', 'work:work:../x'];
        expectAllRefused(await tryAll(paths), ['not-found', 'invalid']);
      },
    ],
  ],
  control: [
    'a file whose name holds a colon is reached behind the root',
    async () => {
      expect(expectSuccess(await read('work:work:inside.txt'))).toBe(place.inside);
    },
  ],
});

escapeCase('hostile names', {
  denied: [
    [
      'a NUL in the middle ends with exit 2',
      async () => {
        const ran = await read('inside.txt\0.png');
        expectFailure(place, ran, { code: 'invalid-argument', exit: 2, says: /holds a NUL/ });
      },
    ],
    [
      'NUL, newline, backslash, control characters, half surrogates, too long, empty segments',
      async () => {
        const paths = [
          '\0',
          'inside.txt\0',
          'sub\0/../x',
          'inside.txt\n',
          'a\nb',
          'a\rb',
          'a\u001b[31mb',
          'a\u2028b',
          'sub\\deep\\file.txt',
          '..\\outside\\secret.txt',
          'x'.repeat(256),
          'é'.repeat(128),
          `${'x/'.repeat(127)}${'x/'.repeat(10)}x`,
          `${'y'.repeat(250)}/`.repeat(17),
          'sub//deep',
          'sub/',
          'inside.txt/',
          '',
        ];
        expectAllRefused(await tryAll(paths), ['invalid']);
      },
    ],
    [
      'half a surrogate pair names no file: what comes across is the replacement character',
      async () => {
        const ran = await read('inside\ud83d.txt');
        expectFailure(place, ran, { code: 'not-found', exit: 4, says: /"inside\ufffd\.txt"/ });
      },
    ],
  ],
  control: [
    'blanks and letters of any script are names',
    async () => {
      expect(expectSuccess(await read('a b/ünï.txt'))).toBe(place.inside);
      const outcomes = await tryAll(['a b/ünï.txt']);
      expect(answered(outcomes)).toEqual([
        'stat',
        'read-text',
        'read-many',
        'stat-many',
        'read-bytes',
        'walk',
        'scan',
        'tally',
      ]);
    },
  ],
});
