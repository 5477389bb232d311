import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import type { Ran } from '../support/run-cuervo.ts';
import { escapeCase } from './support/escape-case.ts';
import { twoUsers, useNeighbours } from './support/neighbour.ts';
import { expectSuccess } from './support/place.ts';

/** What belongs to another user of the machine, where it would decide what cuervo does. */
const place = useNeighbours(({ asUser, asNeighbour, inside }) => {
  asUser(`mkdir -p mine/deep; echo ${inside} > mine/deep/inside.txt`);
  asNeighbour('git init -q .; touch planted.txt');
});

const list = (cwd: string, args: readonly string[] = []) =>
  place.cuervo(['run', 'file.list', '{}', '--allow', 'fs:work', '--json', ...args], { cwd });

escapeCase('workspace that another user marks', {
  needs: twoUsers,
  denied: [
    [
      'a repository in a shared folder above is not it, and a warning says so',
      async () => {
        const ran = await list(`${place.shared}/mine/deep`);
        expect(JSON.stringify(expectSuccess(ran))).toMatch(/inside\.txt/);
        expect(ran.stdout).not.toContain('planted.txt');
        expect(ran.stderr).toContain(`--workspace ${place.shared}`);
      },
    ],
    [
      'nor an own repository to which such a user added settings',
      async () => {
        place.asUser('mkdir -p both/deep; git init -q both; chmod 1777 both');
        place.asNeighbour('echo \'protected = ["deep"]\' > both/cuervo.toml');
        const ran = await list(`${place.shared}/both/deep`);
        expect(JSON.stringify(expectSuccess(ran))).not.toMatch(/cuervo\.toml/);
        expect(ran.stderr).toContain(`--workspace ${place.shared}/both`);
      },
    ],
  ],
  control: [
    'it is when the person names it, and an own mark below it counts',
    async () => {
      const named = await list(`${place.shared}/mine/deep`, ['--workspace', place.shared]);
      expect(JSON.stringify(expectSuccess(named))).toMatch(/planted\.txt/);
      place.asUser('touch mine/cuervo.toml');
      const own = await list(`${place.shared}/mine/deep`);
      expect(JSON.stringify(expectSuccess(own))).toMatch(/cuervo\.toml/);
    },
  ],
});

/** Ways in which the neighbour decides what lies in a home, each with its script. */
const madeByNeighbour: readonly ((home: string) => string)[] = [
  (home) => place.asNeighbour(`mkdir -p ${home}`),
  (home) => place.asNeighbour(`mkdir -p ${home}; touch ${home}/config.toml; chmod 777 ${home}`),
  (home) => place.asNeighbour(`mkdir -m 755 ${dirname(home)}; mkdir -m 777 ${home}`),
  (home) => place.asNeighbour(`mkdir -p ${dirname(home)}; ln -s ${place.own}/new ${home}`),
  (home) => {
    place.asUser(`mkdir -p ${home}; chmod 777 ${home}`);
    place.asNeighbour(`touch ${home}/rules.toml`);
    return place.asUser(`chmod 700 ${home}`);
  },
  // What nobody reads at the start counts as well: masks of the sandbox, parts, plugins.
  ...['sandbox', 'packages', 'plugins', 'blobs', 'whatever'].map((name) => (home: string) => {
    place.asUser(`mkdir -p ${home}; chmod 777 ${home}`);
    place.asNeighbour(`mkdir ${home}/${name}`);
    return place.asUser(`chmod 700 ${home}`);
  }),
];
/** Homes of the user's own that are left open. */
const leftOpen: readonly ((home: string) => string)[] = [
  (home) => place.asUser(`mkdir -p ${home}; chmod 777 ${home}`),
  (home) => place.asUser(`mkdir -p ${home}; chmod 1777 ${home}`),
  (home) => place.asUser(`mkdir -p ${home}; chmod 770 ${home}`),
  (home) => place.asUser(`mkdir -p ${home}; chmod 777 ${dirname(home)}`),
  (home) => place.asUser(`mkdir -p ${home}-2; chmod 777 ${home}-2; ln -s ${home}-2 ${home}`),
  (home) => place.asUser(`mkdir -p ${home}; > ${home}/grants.toml; chmod 666 ${home}/grants.toml`),
  (home) => place.asUser(`mkdir -p ${home}/plugins; chmod 755 ${home}; chmod 777 ${home}/plugins`),
  (home) =>
    place.asUser(`mkdir -p ${home}/whatever; chmod 711 ${home}; chmod 770 ${home}/whatever`),
];

let made = 0;
const newHome = (make: (home: string) => unknown): string => {
  made += 1;
  const home = join(place.shared, `homes-${made}`, 'home');
  make(home);
  return home;
};

/** A command that reads what is installed, and one that writes. */
const commands = [
  ['plugin', 'list'],
  ['run', 'file.list', '{}', '--allow', 'fs:work'],
];

/** Both are refused, and say why. @returns the last one */
async function expectUnsafe(home: string, why: string): Promise<Ran | undefined> {
  let last: Ran | undefined;
  for (const command of commands) {
    last = await place.cuervo([...command, '--json'], { home });
    expect([last.exitCode, /is not safe/.exec(last.stdout)?.[0]], why).toEqual([2, 'is not safe']);
  }
  return last;
}

escapeCase('home that another user writes', {
  needs: twoUsers,
  denied: [
    [
      'one that the neighbour made, leads to, or left a file in is refused',
      async () => {
        for (const make of madeByNeighbour) {
          const home = newHome(make);
          await expectUnsafe(home, make.toString());
          expect(existsSync(join(home, 'cuervo.db'))).toBe(false);
        }
      },
    ],
    [
      'so is an own one that is left open, until the command that it names is typed',
      async () => {
        for (const make of leftOpen) {
          const home = newHome(make);
          const refused = await expectUnsafe(home, make.toString());
          place.asUser(
            /anything in it: (chmod .+?)\. Otherwise/.exec(refused?.stdout ?? '')?.[1] ?? '',
          );
          expect((await place.cuervo(['plugin', 'list'], { home })).exitCode).toBe(0);
        }
      },
    ],
  ],
  control: [
    'an own one that is closed is used, also below a folder that everybody shares',
    async () => {
      for (const make of [
        (home: string) => place.asUser(`mkdir -p ${home}/whatever ${home}/sandbox`),
        (home: string) => place.asUser(`mkdir -p ${dirname(home)}`),
        (home: string) => place.asUser(`mkdir -p ${home}-2; ln -s ${home}-2 ${home}`),
      ]) {
        const home = newHome(make);
        for (const command of commands)
          expect((await place.cuervo(command, { home })).exitCode).toBe(0);
      }
    },
  ],
});
