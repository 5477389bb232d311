import {
  appendFileSync,
  copyFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { adder } from './guests/trapper/guest.ts';
import { buildGuest } from './support/build-guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectFailure, expectSuccess, usePlace } from './support/place.ts';

const place = usePlace({ fill: async (made) => made.install(await adder(1000)) });

function folder({ home } = place): string {
  const [digest] = readdirSync(join(home, 'plugins')).filter((name) => /^[0-9a-f]{64}$/.test(name));
  return join(home, 'plugins', digest as string);
}

/** Runs while a file of the installed plugin is something else, and puts it back. */
async function whileChanged(
  path: string,
  change: (path: string) => void,
  run: () => Promise<void>,
) {
  const kept = join(place.dir, 'kept');
  copyFileSync(path, kept);
  try {
    change(path);
    await run();
  } finally {
    copyFileSync(kept, path);
  }
}

const flip = (path: string): void => {
  const bytes = readFileSync(path);
  const at = bytes.byteLength >> 1;
  bytes[at] = (bytes[at] as number) ^ 1;
  writeFileSync(path, bytes);
};

const go = () => place.run('adder.go', {}, { allow: [] });
const expectChanged = async (says: RegExp) =>
  expectFailure(place, await go(), { code: 'plugin-fault', exit: 6, says });

escapeCase('digest changed on disk', {
  denied: [
    [
      'one bit of the component, of the glue, of each core module: not loaded, exit 6',
      async () => {
        // No load goes by the stamps: they say to doctor which files it need not read.
        const files = readdirSync(folder()).filter((name) => name !== 'stamps.json');
        expect(files).toEqual(
          expect.arrayContaining(['component.wasm', 'component.js', 'component.core.wasm']),
        );
        for (const file of files) {
          await whileChanged(join(folder(), file), flip, () => expectChanged(/changed on disk/));
        }
      },
    ],
    [
      'glue with one more line of code, which is never run',
      async () => {
        const planted = join(place.dir, 'planted');
        const line = `\nprocess.stderr.write('planted'); (await import('node:fs')).writeFileSync('${planted}', '');`;
        const ran = async () => {
          await expectChanged(/component\.js changed on disk/);
          expect(readdirSync(place.dir)).not.toContain('planted');
        };
        await whileChanged(
          join(folder(), 'component.js'),
          (path) => appendFileSync(path, line),
          ran,
        );
      },
    ],
    [
      'a file that is gone',
      async () => {
        await whileChanged(
          join(folder(), 'component.core.wasm'),
          (path) => rmSync(path),
          () => expectChanged(/is gone/),
        );
      },
    ],
    [
      'a lock with another digest, or that is none',
      async () => {
        const lock = join(place.home, 'plugins.lock');
        const swap = (path: string): void => {
          const text = readFileSync(path, 'utf8');
          const digest = /"component\.js": "([0-9a-f]{64})"/.exec(text)?.[1] as string;
          writeFileSync(path, text.replace(digest, 'f'.repeat(64)));
        };
        await whileChanged(lock, swap, () => expectChanged(/the lock says ffff/));
        await whileChanged(
          lock,
          (path) => writeFileSync(path, '{'),
          async () => {
            const ran = await go();
            expect({ code: ran.error?.code, exit: ran.exitCode }).toEqual({
              code: 'plugin-fault',
              exit: 6,
            });
          },
        );
      },
    ],
  ],
  control: [
    'with all files as they were installed it runs',
    async () => expect(expectSuccess(await go())).toEqual(expect.any(Number)),
  ],
});

/** Large enough for its binaries to be kept packed. */
const packed = usePlace({
  fill: async (made) => made.install(await buildGuest('ambient-looker')),
});
const look = () => packed.run('ambient-looker.look', {}, { allow: [] });

escapeCase('digest of a packed file changed on disk', {
  denied: [
    [
      'one bit of each packed file, and a packed file in place of another: not loaded, exit 6',
      async () => {
        const files = readdirSync(folder(packed)).filter((name) => name.endsWith('.zst'));
        expect(files).toContain('component.wasm.zst');
        const other = join(folder(packed), files.at(-1) as string);
        const swap = (path: string): void => copyFileSync(other, path);
        for (const file of files) {
          const path = join(folder(packed), file);
          for (const change of path === other ? [flip] : [flip, swap]) {
            await whileChanged(path, change, async () => {
              const says = /changed on disk/;
              expectFailure(packed, await look(), { code: 'plugin-fault', exit: 6, says });
            });
          }
        }
      },
    ],
  ],
  control: [
    'with the packed files as they were installed it runs',
    async () => expect(expectSuccess(await look())).toHaveProperty('globals'),
  ],
});
