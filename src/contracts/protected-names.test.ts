import { describe, expect, it } from 'vitest';
import {
  isFixedPath,
  isObeyedPath,
  isProjectFile,
  isProtectedPath,
  isUnwritablePath,
  runnerOf,
} from './protected-names.ts';

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
  'gcp/credentials (1).json',
  'credentials - Copy.json',
  'credentials (copy).json',
  'credentials.json~',
  '.credentials.json.swp',
  '.id_rsa.swo',
  '#.netrc#',
  '.netrc.~3~',
  '.netrc.orig',
  '.netrc.swp',
  '.kaggle.json.un~',
  'kaggle.json.bak.1',
  '.pgpass.2024-11-02',
  'server.key.save',
  '.ssh~/config',
  ...[
    '.netrc~HEAD',
    'credentials.json~origin_main',
    '.netrc.mine',
    '.netrc.r12',
    'tls.key.rpmsave',
  ],
  ...[
    '.netrc.dpkg-old',
    '.netrc.bak2',
    '.netrc-old',
    'credentials.json_bak',
    '%home%ann%.netrc.swp',
  ],
  ...['credentials.sync-conflict-20240101-120000-ABCDEFG.json', 'credentials_LOCAL_12.json'],
  ...["credentials (Ann's conflicted copy 2024-01-01).json", 'credentials copy 2.json'],
  ...['Copy of credentials.json', 'Kopie von .netrc', 'credentials - Kopie (2).json'],
  ...['credentials 2.json', 'credentials-backup.json', 'credentials.old.json', '.pgpass.gz'],
  ...['.netrc___jb_tmp___', 'server.pem.crdownload', '!home!ann!.netrc~'],
  ...['made/.npmrc.withheld', '.bashrc.withheld-2', '.git.withheld/config'],
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

/** One of each kind of the lists. */
const listed = [
  ...['deploy_rsa', 'my_id_rsa', 'github_ed25519', 'store.jks', 'site.p12', 'vault.kdbx'],
  ...['home/.ssh/authorized_keys', '.ssh/config', '.gnupg/trustdb.gpg', '.git-credentials'],
  ...['.pgpass', '_netrc', '.my.cnf', '.htpasswd', '.vault_pass.txt', 'etc/shadow', '.pypirc'],
  ...['.aws/credentials', '.aws/sso/cache/x.json', '.AWS/Credentials', '.docker/config.json'],
  ...['deep/.kube/config', '.kube/config-prod', '.config/gcloud/access_tokens.db', '.dockercfg'],
  ...['.config/gh/hosts.yml', '.config/hub', '.cargo/credentials.toml', '.gem/credentials'],
  ...[
    '.m2/settings.xml',
    'ci/settings.xml',
    'credentials.toml',
    '.config/pip/pip.conf',
    'terraform.tfvars',
    'x.tfstate',
    'x.tfstate.backup',
    '.terraformrc',
  ],
  ...['client_secret_1.apps.json', '.bash_history', '.zsh_history', '.python_history'],
  ...['.config/rclone/rclone.conf', '.codex/auth.json', '.local/share/keyrings/login.keyring'],
  ...['.zshrc.d/a', '.config/fish/conf.d/a.fish', '.xinitrc', '.pam_environment'],
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
  'example.env',
  'environment.ts',
  'src/env.ts',
  'key.ts',
  'monkey',
  'server.pem.ts',
  'server.keys',
  'id_rs',
  'my_id_rsa.ts',
  'rsa',
  'npmrc',
  'plain.txt~',
  '.plain.txt.swp',
  'config (1).json',
  'src/a.copy',
  ...['credentials-backup.ts', 'Copy of notes.txt', 'main~HEAD', 'notes 2.json', 'a-old/x.json'],
  ...['package-lock.json', 'base.r12', 'dist.zip', '100% sure.md'],
  'netrc.1',
  'credentials.json.md',
  'my-credentials.ts',
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
  ...['.docker/Dockerfile', 'config.json', '.aws/task-definition.json', '.kube/deployment.yml'],
  ...['credentials', 'src/auth.json', 'locales/en/auth.json', 'hosts.yml'],
  ...['crypto/rsa/sign.go', 'history', 'src/history.ts', 'main.tf', 'vars.tfvars', 'a.p12.ts'],
  ...['.vscode/tasks.json', '.github/workflows/ci.yml', '.gitconfig', '.gitattributes'],
  'a:b.txt',
];

describe('isProtectedPath()', () => {
  it.each(protectedPaths)('protects %j', (path) => expect(isProtectedPath(path)).toBe(true));

  it.each(listed)('protects %j of the lists', (path) => expect(isProtectedPath(path)).toBe(true));

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

describe('isFixedPath()', () => {
  it.each(['.git/HEAD', 'cuervo.toml', 'sub/CUERVO.toml', 'cuervo.toml./x', 'ｃuervo.toml'])(
    'leaves %j to a person',
    (path) => expect(isFixedPath(path)).toBe(true),
  );

  it.each(['cuervo.toml.md', 'my-cuervo.toml', 'cuervo', '.github/x'])('lets %j be', (path) =>
    expect(isFixedPath(path)).toBe(false),
  );
});

describe('isProjectFile()', () => {
  it.each([
    ['cuervo.toml', true],
    ['Cuervo.Toml', true],
    ['cuervo.toml ', true],
    ['ｃuervo.toml', true],
    ['cuervo.tomb', false],
    ['xcuervo.toml', false],
  ])('of %j is %j', (name, expected) => expect(isProjectFile(name)).toBe(expected));
});

describe('runnerOf()', () => {
  it.each([
    ['.github/workflows/ci.yml', 'a CI service'],
    ['.gitlab-ci.yml', 'a CI service'],
    ['Jenkinsfile', 'a CI service'],
    ['.circleci/config.yml', 'a CI service'],
    ['sub/.vscode/tasks.json', 'an editor'],
    ['.VSCODE/Tasks.json', 'an editor'],
    ['a.code-workspace', 'an editor'],
    ['.devcontainer/devcontainer.json', 'an editor'],
    ['.mcp.json', 'an assistant'],
    ['.claude/settings.local.json', 'an assistant'],
    ['.gitconfig', 'git'],
    ['.gitattributes', 'git'],
    ['.husky/pre-commit', 'git'],
    ['.config/git/config', 'git'],
    ['.tmux.conf', 'a shell or a terminal'],
    ['.config/autostart/a.desktop', 'the system'],
    ['Library/LaunchAgents/a.plist', 'the system'],
    ['sitecustomize.py', 'an interpreter, a debugger or a package manager'],
    ['.cargo/config.toml', 'an interpreter, a debugger or a package manager'],
  ])('of %j is %s', (path, by) => expect(runnerOf(path)).toBe(by));

  it.each(['README.md', 'src/a.ts', '.vscode/extensions.json', '.github/CODEOWNERS', 'Makefile'])(
    'of %j is nobody',
    (path) => expect(runnerOf(path)).toBeUndefined(),
  );
});
