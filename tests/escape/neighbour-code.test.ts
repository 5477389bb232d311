import { chmodSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { escapeCase } from './support/escape-case.ts';
import { twoUsers, useNeighbours } from './support/neighbour.ts';

const place = useNeighbours();

/** Files with what a run compiled, for the next one. */
function kept(folder: string): number {
  if (!existsSync(folder)) return 0;
  const found = readdirSync(folder, { recursive: true, withFileTypes: true });
  return found.filter((each) => each.isFile()).length;
}

const help = async (env: Record<string, string> = {}) => {
  const ran = await place.cuervo(['--help'], { env });
  expect(ran.exitCode).toBe(0);
};

const compiled = () => join(place.home, 'compiled');

escapeCase('compiled code that a neighbour could have written', {
  needs: twoUsers,
  denied: [
    [
      'none is kept in the shared folder for temporary files, nor where a variable says',
      async () => {
        place.asNeighbour('mkdir -m 777 -p planted');
        await help({ NODE_COMPILE_CACHE: join(place.shared, 'planted') });
        expect(kept(join(place.shared, 'planted'))).toBe(0);
        expect(readdirSync(place.shared).sort()).toEqual(['own', 'planted']);
      },
    ],
    [
      'none where the home, a folder above it or the folder itself is open to others',
      async () => {
        for (const [folder, mode] of [
          [place.home, 0o777],
          [place.home, 0o770],
          [place.own, 0o770],
          [place.own, 0o777],
        ] as const) {
          rmSync(compiled(), { recursive: true, force: true });
          chmodSync(folder, mode);
          await help();
          expect({ folder, mode, kept: kept(compiled()) }).toEqual({ folder, mode, kept: 0 });
          chmodSync(folder, 0o700);
        }
        place.asUser(`rm -rf '${compiled()}'; mkdir -m 755 '${compiled()}'`);
        await help();
        expect(kept(compiled())).toBe(0);
      },
    ],
    [
      'none behind a link to a folder of the neighbour, and none in a home of his',
      async () => {
        place.asNeighbour('mkdir -m 777 theirs; mkdir -m 777 theirs/home; ln -s own/home led');
        place.asUser(`rm -rf '${compiled()}'; ln -s '${place.shared}/theirs' '${compiled()}'`);
        await help();
        await help({ CUERVO_HOME: join(place.shared, 'theirs/home') });
        expect(kept(join(place.shared, 'theirs'))).toBe(0);
        rmSync(compiled());
        await help({ CUERVO_HOME: join(place.shared, 'led') });
        expect(kept(compiled())).toBe(0);
      },
    ],
  ],
  control: [
    'in a home that is the own one it is kept, for nobody else to enter',
    async () => {
      rmSync(compiled(), { recursive: true, force: true });
      await help();
      expect(kept(compiled())).toBeGreaterThan(0);
      expect(() => place.asNeighbour(`ls '${compiled()}'`)).toThrow(/denied/i);
    },
  ],
});
