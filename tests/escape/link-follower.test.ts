import { linkSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Outcome } from './guests/attempt.ts';
import { buildGuest } from './support/build-guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { answered, expectAllRefused, outcomesOf } from './support/outcomes.ts';
import {
  clear,
  expectFailure,
  expectNoSecret,
  expectSuccess,
  put,
  usePlace,
} from './support/place.ts';
import { whileSwapping } from './support/while-swapping.ts';

const place = usePlace({
  fill: async (made) => {
    const { work, outside } = made;
    put(work, 'sub/file.txt', made.inside);
    put(outside, 'folder/secret.txt', `${made.secret}\n`);
    const link = (target: string, path: string) => symlinkSync(target, join(work, path));
    link(join(outside, 'secret.txt'), 'to-file');
    link('../outside/secret.txt', 'to-file-relative');
    link(join(outside, 'folder'), 'to-folder');
    link('../outside/folder', 'to-folder-relative');
    link('..', 'to-parent');
    link('/', 'to-root');
    link('/proc/self/root/etc', 'to-proc');
    link('/proc/self/fd/5', 'to-descriptor');
    link('sub/../../outside/secret.txt', 'round-about');
    link('chain-2', 'chain-1');
    link('to-file-relative', 'chain-2');
    link('../outside/nothing', 'dangling-outside');
    link('nothing', 'dangling-inside');
    link('loop-b', 'loop-a');
    link('loop-a', 'loop-b');
    link('self', 'self');
    link('sub', 'inside-folder');
    link('sub/file.txt', 'inside-file');
    link('../inside.txt', 'sub/back');
    link('inside-folder/back', 'inside-chain');
    for (let index = 0; index < 40; index += 1) link(`long-${index + 1}`, `long-${index}`);
    link('inside.txt', 'long-40');
    linkSync(join(outside, 'secret.txt'), join(work, 'hard-link'));
    await made.install(await buildGuest('link-follower'));
  },
});

const read = (path: string) => place.run('link-follower.read', { path });
const tryAll = async (paths: readonly string[]) =>
  outcomesOf(place, await place.run('link-follower.try-all', { paths }));

escapeCase('link to a file outside', {
  denied: [
    [
      'the text is denied with exit 3',
      async () => {
        const before = place.state();
        expectFailure(place, await read('to-file'), {
          code: 'permission-denied',
          exit: 3,
          says: /outside of root work/,
        });
        expect(place.state()).toBe(before);
      },
    ],
    [
      'absolute, relative, round about and chained, in every call',
      async () => {
        const paths = ['to-file', 'to-file-relative', 'round-about', 'chain-1', 'chain-2'];
        expectAllRefused(await tryAll(paths), ['denied']);
      },
    ],
    [
      'a walk and a scan of the folder see a link and do not follow it',
      async () => {
        const ran = await place.run('link-follower.try-all', { paths: ['work:sub'] });
        expectNoSecret(place, ran);
        const walked = (expectSuccess(ran) as Outcome[]).find(({ call }) => call === 'walk');
        expect(walked).toMatchObject({ ok: true });
        const entries = (walked as { value: { path: string; kind: string }[] }).value;
        expect(entries.find(({ path }) => path === 'work:sub/back')).toMatchObject({
          kind: 'link',
        });
      },
    ],
  ],
  control: [
    'a link that stays inside, and a chain of them, are read',
    async () => {
      expect(expectSuccess(await read('inside-file'))).toBe(place.inside);
      expect(expectSuccess(await read('inside-chain'))).toBe(`${place.inside}\n`);
    },
  ],
});

escapeCase('link to a folder outside', {
  denied: [
    [
      'a file behind it is denied with exit 3',
      async () => {
        const ran = await read('to-folder/secret.txt');
        expectFailure(place, ran, { code: 'permission-denied', exit: 3, says: /outside of root/ });
      },
    ],
    [
      'in the middle, to the parent, to the root of all, through /proc, in every call',
      async () => {
        const paths = [
          'to-folder',
          'to-folder-relative/secret.txt',
          'to-parent',
          'to-parent/outside/secret.txt',
          'to-root/etc/hostname',
          'to-proc/hostname',
          'to-descriptor/inside.txt',
          'inside-folder/back/../../../outside',
        ];
        expectAllRefused(await tryAll(paths), ['denied', 'invalid']);
      },
    ],
  ],
  control: [
    'a folder behind a link that stays inside is listed, and its files are read',
    async () => {
      expect(expectSuccess(await read('inside-folder/file.txt'))).toBe(place.inside);
      expect(answered(await tryAll(['inside-folder']))).toEqual([
        'stat',
        'stat-many',
        'list-dir',
        'walk',
        'scan',
        'tally',
      ]);
    },
  ],
});

escapeCase('dangling and looping links', {
  denied: [
    [
      'a loop is denied with exit 3',
      async () => {
        expectFailure(place, await read('loop-a'), {
          code: 'permission-denied',
          exit: 3,
          says: /passes more than 16 links/,
        });
      },
    ],
    [
      'no call hangs or says what is outside',
      async () => {
        expectAllRefused(await tryAll(['loop-a', 'loop-b/x', 'self', 'long-0']), ['denied']);
        // Whether the target exists outside is nothing that a guest learns.
        expectAllRefused(await tryAll(['dangling-outside']), ['denied']);
        expectAllRefused(await tryAll(['dangling-inside']), ['not-found']);
      },
    ],
  ],
  control: [
    'sixteen links one after the other are followed',
    async () => {
      expect(expectSuccess(await read('long-25'))).toBe(`${place.inside}\n`);
    },
  ],
});

escapeCase('hard link', {
  // A hard link is the file itself under a second name: no check can tell which is the first.
  // What holds: a guest cannot make one, and a protected name stays protected (secret-reader).
  denied: [
    'the interface offers no way to make one',
    async () => {
      const { hostCalls } = await import('../../src/contracts/capability.ts');
      expect(hostCalls.filter((call) => /link/i.test(call))).toEqual([]);
      expect(hostCalls.length).toBeGreaterThan(20);
    },
  ],
  control: [
    'one that a person made is a file of the workspace',
    async () => {
      expect(expectSuccess(await read('hard-link'))).toBe(`${place.secret}\n`);
    },
  ],
});

type Raced = { seen: Record<string, number>; leaked: string[]; files: number };

async function race(input: {
  path: string;
  folder: string;
  reads: number;
  scans: number;
}): Promise<Raced> {
  const ran = await place.run('link-follower.race', { ...input, mark: 'outside-' });
  expectNoSecret(place, ran);
  return expectSuccess(ran) as Raced;
}

escapeCase('link swapped during the call', {
  denied: [
    'twenty thousand attempts, and not one reads what is outside',
    async () => {
      clear(place.work, 'racing', 'others');
      const pairs: string[] = [];
      const files = 40;
      for (let index = 0; index < files; index += 1) {
        const name = put(place.work, `racing/file-${index}.txt`, 'side-inside\n');
        mkdirSync(join(place.work, 'others'), { recursive: true });
        const other = join(place.work, 'others', `link-${index}`);
        symlinkSync(join(place.outside, 'racing.txt'), other);
        pairs.push(name, other);
      }
      put(place.outside, 'racing.txt', `side-${place.secret}\n`);
      const totals = { attempts: 0, inside: 0, refused: 0 };
      await whileSwapping(pairs, async () => {
        for (let round = 0; round < 2; round += 1) {
          const raced = await race({
            path: 'racing/file-0.txt',
            folder: 'racing',
            reads: 600,
            scans: 390,
          });
          expect(raced.leaked).toEqual([]);
          totals.attempts += 600 + 390 * files;
          totals.inside += (raced.seen.read ?? 0) + raced.files;
          totals.refused += 600 - (raced.seen.read ?? 0) + (390 * files - raced.files);
        }
      });
      expect(totals.attempts).toBeGreaterThanOrEqual(20_000);
      // Both were really there while it ran: the file and the link.
      expect(totals.inside).toBeGreaterThan(100);
      expect(totals.refused).toBeGreaterThan(100);
    },
  ],
  control: [
    'when nobody swaps, each attempt reads what is inside',
    async () => {
      put(place.work, 'calm/file.txt', 'side-inside\n');
      const raced = await race({ path: 'calm/file.txt', folder: 'calm', reads: 100, scans: 10 });
      expect(raced).toEqual({ seen: { read: 100, scan: 10 }, leaked: [], files: 10 });
    },
  ],
});

escapeCase('folder replaced under an open handle', {
  denied: [
    'a folder that becomes a link on the way leads nowhere else',
    async () => {
      clear(place.work, 'moving', 'moving-link', 'other', 'other-link');
      put(place.work, 'moving/deep/er/file.txt', 'side-inside\n');
      put(place.outside, 'elsewhere/deep/er/file.txt', `side-${place.secret}\n`);
      symlinkSync(join(place.outside, 'elsewhere'), join(place.work, 'moving-link'));
      put(place.work, 'other/er/file.txt', 'side-inside\n');
      symlinkSync(join(place.outside, 'elsewhere/deep'), join(place.work, 'other-link'));
      const pairs = ['moving', 'moving-link'].map((name) => join(place.work, name));
      const totals = { inside: 0, refused: 0 };
      await whileSwapping(pairs, async () => {
        for (let round = 0; round < 3; round += 1) {
          const raced = await race({
            path: 'moving/deep/er/file.txt',
            folder: 'moving',
            reads: 500,
            scans: 490,
          });
          expect(raced.leaked).toEqual([]);
          totals.inside += (raced.seen.read ?? 0) + raced.files;
          totals.refused += 500 - (raced.seen.read ?? 0) + (490 - raced.files);
        }
      });
      expect(totals.inside).toBeGreaterThan(100);
      expect(totals.refused).toBeGreaterThan(100);
    },
  ],
  control: [
    'a folder that stays is read to its end',
    async () => {
      put(place.work, 'staying/deep/er/file.txt', 'side-inside\n');
      const raced = await race({
        path: 'staying/deep/er/file.txt',
        folder: 'staying',
        reads: 100,
        scans: 10,
      });
      expect(raced).toEqual({ seen: { read: 100, scan: 10 }, leaked: [], files: 10 });
    },
  ],
});
