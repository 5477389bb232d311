import { describe, expect, it } from 'vitest';
import { isObeyedPath, isProtectedPath, isUnwritablePath } from './protected-names.ts';

const protectedPaths = [
  '.env',
  '.env.local',
  '.envrc',
  'sub/.env.d/x',
  'server.pem',
  'tls/private.key',
  'id_rsa',
  'keys/id_ed25519.pub',
  'id_dsa',
  'id_ecdsa_sk',
  '.npmrc',
  'home/.netrc',
  'gcp/credentials.json',
  '.git/config',
  'vendor/lib/.git/config',
  '.git/config.worktree',
  '.git/hooks',
  '.git/hooks/pre-commit',
  '.git/modules/lib/config',
  '.git/modules/a/b/hooks/post-checkout',
  '.git/worktrees/w/config.worktree',
  '.bashrc',
  '.bash_profile',
  '.bash_login',
  '.profile',
  '.zshrc',
  '.zshenv',
  '.zprofile',
  '.zlogin',
  '.kshrc',
  '.cshrc',
  '.config/fish/config.fish',
  '.cuervo/grants.toml',
];

const spellings = [
  '.ENV',
  '.Env.Local',
  '.env.',
  '.env ',
  'Server.PEM',
  'server.pem.',
  'server.pem . .',
  'ID_RSA',
  '.GIT/Config',
  '.git./hooks /x',
  '.g\u0131t/config',
  '.ｅｎｖ',
  '\uff0eenv',
  '\u2024env',
  '.e\u200bnv',
  '\ufeff.env',
  '.git\u200c/config',
  'id_r\u017fa',
  'server.\u212aey',
  'server.pem::$DATA',
  '.npmrc:stream',
  'CREDENTIALS.JSON',
];

/** Close, and not protected. */
const openPaths = [
  '',
  'src/index.ts',
  'env',
  'my.env',
  'environment.ts',
  'src/env.ts',
  'key.ts',
  'monkey',
  'server.pem.ts',
  'server.keys',
  'id_rs',
  'my_id_rsa',
  'rid_rsa',
  'npmrc',
  'credentials.json.md',
  'my-credentials.json',
  '.github/config',
  '.gitconfig.md',
  '.git/HEAD',
  '.git/refs/heads/config',
  'git/config',
  'hooks/pre-commit',
  '.githooks/pre-commit',
  'profile',
  'src/profile.ts',
  'README.md',
  'docs/über.md',
  'a:b.txt',
];

describe('isProtectedPath()', () => {
  it.each(protectedPaths)('protects %j', (path) => expect(isProtectedPath(path)).toBe(true));

  it.each(spellings)('protects the spelling %j', (path) => {
    expect(isProtectedPath(path)).toBe(true);
    expect(isProtectedPath(`deep/below/${path}`)).toBe(true);
  });

  it.each(openPaths)('leaves %j open', (path) => expect(isProtectedPath(path)).toBe(false));
});

describe('isUnwritablePath()', () => {
  it.each([
    ...['.git', '.git/HEAD', 'lib/.git/index', '.GIT/x', '.git./x', '.\u200bgit/x', '．git'],
    ...protectedPaths,
  ])('withholds %j', (path) => expect(isUnwritablePath(path)).toBe(true));

  it.each(['.gitignore', '.github/x', 'git/HEAD', 'a.git/x', 'README.md'])(
    'lets %j be written',
    (path) => expect(isUnwritablePath(path)).toBe(false),
  );
});

describe('isObeyedPath()', () => {
  it.each([
    ...['.git', 'deep/.git', '.GIT', '.git/hooks', '.git/config', '.git/commondir', '.npmrc'],
    ...[
      '.git/worktrees/w/commondir',
      '.bashrc',
      '.envrc',
      'sub/.env',
      '.env.',
      '.config/config.fish',
    ],
  ])('knows %j', (path) => expect(isObeyedPath(path)).toBe(true));

  it.each([
    'server.pem',
    'id_rsa',
    '.git/index',
    '.git/refs/heads/config',
    '.gitignore',
    'env',
    '',
  ])('leaves %j to the program', (path) => expect(isObeyedPath(path)).toBe(false));
});
