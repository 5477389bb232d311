import { copyFileSync, linkSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { buildGuest } from './support/build-guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { answered, expectAllRefused, outcomesOf } from './support/outcomes.ts';
import { expectFailure, expectNoSecret, expectSuccess, put, usePlace } from './support/place.ts';

/** Names of SECURITY.md, each with content that must not come out. */
const protectedNames = [
  '.env',
  '.env.local',
  '.envrc',
  'server.pem',
  'tls.key',
  'id_rsa',
  'id_dsa',
  'id_ecdsa',
  'id_ed25519',
  'id_ed25519.pub',
  '.npmrc',
  '.netrc',
  'credentials.json',
  '.git/config',
  '.git/hooks/pre-commit',
  '.git/modules/sub/config',
  '.git/modules/sub/hooks/post-checkout',
  '.bashrc',
  '.profile',
  '.bash_profile',
  '.zshrc',
  '.zshenv',
  '.cuervo/grants.toml',
  ...['.git-credentials', '.pgpass', '.aws/credentials', '.gnupg/secring.gpg', '.ssh/config'],
  ...['.docker/config.json', '.kube/config', 'store.jks', 'deploy_rsa', '.bash_history'],
  ...['.hg/hgrc', '.hgrc', '.config/hg/hgrc', '.sl/config', '.jj/repo/config.toml'],
  ...['.jj/config.toml', '.bzr/branch/branch.conf', '_darcs/prefs/defaults'],
  ...['.config/gcloud/access_tokens.db', '.config/gh/hosts.yml', '.cargo/credentials.toml'],
];

/** Files that some file system, or a careless comparison, takes for a protected one. */
const otherSpellings = [
  '.ENV',
  '.Env.Production',
  'SERVER.PEM',
  'Tls.KEY',
  'ID_RSA',
  '.NPMRC',
  '.env.',
  '.env ',
  '.npmrc. .',
  'id_rsa::$DATA',
  '.\u200benv',
  '．env',
  '.ｅｎｖ',
  'id_rſa',
  'tls.\u212aey',
  '.GIT/config',
  '.git/Config',
  // Left behind by editors, file managers and people.
  ...['.netrc~', '.netrc.swp', '.credentials.json.swp', '.id_rsa.swo', '#.netrc#', '.netrc.~2~'],
  ...['.netrc.orig', 'server.pem.save', '.tls.key.un~', 'credentials.json.bak.1', '.npmrc.tmp'],
  ...['credentials (1).json', 'credentials - Copy.json', '.aws/credentials.2026-11-02'],
  ...['.netrc~HEAD', 'credentials.json~side', '.netrc.mine', '.netrc.rpmsave', '.netrc-old'],
  ...['credentials_LOCAL_12.json', 'credentials (conflicted copy 2026-11-02 120000).json'],
  ...['Copy of credentials.json', 'credentials copy 2.json', 'credentials-backup.json'],
  ...['credentials.sync-conflict-20261102-120000-ABCDEFG.json', '%home%ann%.netrc', 'tls.key.gz'],
  ...['.npmrc.withheld', '.bashrc.withheld-2', 'made/.git.withheld/config'],
  '.git/HOOKS/pre-push',
  'deep/er/.ENV',
];

/** Names that only look alike, and are anybody's. */
const harmless = [
  ...['env', 'environment.ts', 'keys.txt', 'pem.md', 'npmrc', 'config', 'hooks/x'],
  ...['.hg/branch', '.jj/working_copy/type', 'hgrc', 'repo/config.toml'],
];

const place = usePlace({
  fill: async (made) => {
    for (const name of [...protectedNames, ...otherSpellings])
      put(made.work, name, `token ${made.secret}\n`);
    for (const name of harmless) put(made.work, name, `token ${made.inside}\n`);
    symlinkSync('.env', join(made.work, 'alias.txt'));
    symlinkSync('.git/hooks', join(made.work, 'hooks-alias'));
    symlinkSync('.cuervo', join(made.work, 'cuervo-alias'));
    mkdirSync(join(made.work, 'links'));
    symlinkSync('../alias.txt', join(made.work, 'links/second.txt'));
    symlinkSync('../keys.txt', join(made.work, 'links/fine.txt'));
    await made.install(await buildGuest('secret-reader'));
  },
});

const read = (path: string) => place.run('secret-reader.read', { path });
const tryAll = async (paths: readonly string[]) =>
  outcomesOf(place, await place.run('secret-reader.try-all', { paths }));

escapeCase('protected names', {
  denied: [
    [
      'a key in the workspace is denied with exit 3, although the workspace was granted',
      async () => {
        const before = place.state();
        expectFailure(place, await read('.env'), {
          code: 'permission-denied',
          exit: 3,
          says: /protected file/,
        });
        expect(place.state()).toBe(before);
      },
    ],
    [
      'as bytes too',
      async () => {
        const ran = await place.run('secret-reader.bytes', { path: 'id_ed25519' });
        expectFailure(place, ran, { code: 'permission-denied', exit: 3, says: /protected file/ });
      },
    ],
    [
      'every name of the list, in every call',
      async () => expectAllRefused(await tryAll(protectedNames), ['denied']),
    ],
    [
      'every other spelling: case, Unicode, trailing dots and blanks, streams',
      async () => expectAllRefused(await tryAll(otherSpellings), ['denied']),
    ],
  ],
  control: [
    'names that only look alike are read, in every call that reads a file',
    async () => {
      const outcomes = await tryAll(harmless);
      expect(answered(outcomes).length).toBe(harmless.length * 8);
    },
  ],
});

escapeCase('protected names by a sweep', {
  denied: [
    [
      'walk, scan and tally of the whole tree bring nothing of what is in them',
      async () => {
        const input = { path: 'work:', pattern: 'token', words: ['token', 'outside'] };
        const ran = await place.run('secret-reader.sweep', input);
        expectNoSecret(place, ran);
        const swept = expectSuccess(ran) as {
          scanned: { path: string }[];
          tallied: { windows: { path: string }[]; holding: number[] };
        };
        const found = [...swept.scanned, ...swept.tallied.windows].map(({ path }) => path.slice(5));
        const withheld = new Set([...protectedNames, ...otherSpellings]);
        expect(found.filter((path) => withheld.has(path))).toEqual([]);
        // A count would tell a word of a key letter by letter.
        expect(swept.tallied.holding[1]).toBe(0);
      },
    ],
    [
      'a sweep of a protected folder itself ends with exit 3',
      async () => {
        const input = { path: '.git/hooks', pattern: 'token', words: ['token'] };
        const ran = await place.run('secret-reader.sweep', input);
        expectFailure(place, ran, { code: 'permission-denied', exit: 3, says: /protected file/ });
      },
    ],
  ],
  control: [
    'the same sweep finds the line in every harmless file',
    async () => {
      const input = { path: 'work:', pattern: 'token', words: ['token', 'inside'] };
      const swept = expectSuccess(await place.run('secret-reader.sweep', input)) as {
        scanned: { path: string }[];
        tallied: { holding: number[] };
      };
      const found = swept.scanned.map(({ path }) => path.slice(5));
      for (const name of harmless) expect(found).toContain(name);
      expect(swept.tallied.holding[1]).toBeGreaterThanOrEqual(harmless.length);
    },
  ],
});

escapeCase('protected names through a link', {
  denied: [
    [
      'a link with a harmless name is denied with exit 3',
      async () => {
        expectFailure(place, await read('alias.txt'), {
          code: 'permission-denied',
          exit: 3,
          says: /protected file/,
        });
      },
    ],
    [
      'a link to a link, a link to a folder of hooks, in every call',
      async () => {
        const paths = [
          'links/second.txt',
          'hooks-alias',
          'hooks-alias/pre-commit',
          'cuervo-alias/grants.toml',
        ];
        expectAllRefused(await tryAll(paths), ['denied']);
      },
    ],
  ],
  control: [
    'a link to a harmless file is read',
    async () => {
      expect(expectSuccess(await read('links/fine.txt'))).toBe(`token ${place.inside}\n`);
    },
  ],
});

escapeCase('protected file by its second hard link', {
  // Withheld is the name, not the file: who makes a hard link to a key gives it a second name,
  // and a guest cannot make one.
  denied: [
    'the protected one of the two names stays protected',
    async () => {
      put(place.work, 'two/names.txt', place.inside);
      linkSync(join(place.work, 'two/names.txt'), join(place.work, 'two/names.pem'));
      expectFailure(place, await read('two/names.pem'), { code: 'permission-denied', exit: 3 });
    },
  ],
  control: [
    'the other one is read',
    async () => {
      put(place.work, 'pair/names.txt', place.inside);
      linkSync(join(place.work, 'pair/names.txt'), join(place.work, 'pair/other.txt'));
      expect(expectSuccess(await read('pair/other.txt'))).toBe(place.inside);
    },
  ],
});

escapeCase('CUERVO_HOME inside the workspace', {
  denied: [
    [
      'grants, lock and database under a name of their own are denied with exit 3',
      async () => {
        const { home, run } = await nestedHome();
        put(home, 'models/notes.txt', place.secret);
        const ran = await run('secret-reader.read', { path: 'state/cuervo-home/models/notes.txt' });
        expectFailure(place, ran, { code: 'permission-denied', exit: 3, says: /protected file/ });
      },
    ],
    [
      'by every call, by another case, through a link, by a sweep',
      async () => {
        const { home, run } = await nestedHome();
        put(home, 'models/notes.txt', `token ${place.secret}`);
        const link = join(place.work, 'state/shortcut');
        try {
          symlinkSync('cuervo-home', link);
        } catch {
          // made by an earlier test
        }
        const inHome = ['', '/plugins.lock', '/models', '/models/notes.txt', '/cuervo.db'];
        const paths = [
          ...inHome.map((rest) => `state/cuervo-home${rest}`),
          'state/shortcut/plugins.lock',
          'state/shortcut/models/notes.txt',
        ];
        expectAllRefused(outcomesOf(place, await run('secret-reader.try-all', { paths })), [
          'denied',
        ]);
        const sweep = { path: 'work:', pattern: 'token', words: ['token', 'outside'] };
        const ran = await run('secret-reader.sweep', sweep);
        expectNoSecret(place, ran);
        const swept = expectSuccess(ran) as { walked: string[]; tallied: { holding: number[] } };
        expect(swept.walked.filter((path) => path.startsWith('work:state/cuervo-home/'))).toEqual(
          [],
        );
        expect(swept.tallied.holding[1]).toBe(0);
      },
    ],
    [
      'a workspace that is the home, or lies in it, is refused with exit 3',
      async () => {
        const ran = await place.run(
          'secret-reader.read',
          { path: 'plugins.lock' },
          { workspace: place.home },
        );
        expect(ran.error).toMatchObject({ code: 'permission-denied' });
        expect(ran.exitCode).toBe(3);
        const below = await place.run(
          'secret-reader.read',
          { path: 'x' },
          { workspace: join(place.home, 'plugins') },
        );
        expect(below.exitCode).toBe(3);
      },
    ],
  ],
  control: [
    'what lies beside it is read',
    async () => {
      const { run } = await nestedHome();
      put(place.work, 'state/cuervo-home-notes.txt', place.inside);
      const ran = await run('secret-reader.read', { path: 'state/cuervo-home-notes.txt' });
      expect(expectSuccess(ran)).toBe(place.inside);
    },
  ],
});

/** A home below the workspace, whose name is on no list. */
async function nestedHome() {
  const home = join(place.work, 'state', 'cuervo-home');
  const wasm = join(place.dir, 'secret-reader.wasm');
  mkdirSync(dirname(home), { recursive: true });
  copyFileSync(await buildGuest('secret-reader'), wasm);
  const installed = await place.cuervo(['plugin', 'list', '--json'], { home });
  if (!installed.stdout.includes('"secret-reader"')) {
    const ran = await place.cuervo(['plugin', 'install', wasm, '--yes'], { home });
    expect(ran.exitCode).toBe(0);
  }
  const run = (tool: string, input: unknown) =>
    place.cuervo(
      [
        'run',
        tool,
        JSON.stringify(input),
        '--json',
        '--allow',
        'fs:work',
        '--workspace',
        place.work,
      ],
      { home },
    );
  return { home, run };
}
