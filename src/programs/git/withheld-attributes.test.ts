import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createContentGate } from '../../contracts/content-gate.ts';
import { isProtectedPath } from '../../contracts/protected-names.ts';
import { withheldAttributes } from './withheld-attributes.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cuervo-attributes-'));
  spawnSync('git', ['init', '--quiet', folder]);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The paths that git itself never shows in a difference. */
function hidden(entries: readonly string[], paths: readonly string[]): string[] {
  const file = join(folder, 'attributes');
  writeFileSync(file, withheldAttributes({ work: entries }));
  const { stdout } = spawnSync(
    'git',
    ['-C', folder, '-c', `core.attributesFile=${file}`, 'check-attr', '-z', '--stdin', 'diff'],
    { encoding: 'utf8', input: paths.map((path) => `${path}\0`).join('') },
  );
  const fields = stdout.split('\0');
  return paths.filter((_, index) => fields[index * 3 + 2] === 'unset');
}

const names = [
  ...['.env', '.env.local', '.ENV', 'a.pem', 'A.Key', 'id_rsa', 'id_ed25519.pub', '.netrc'],
  ...['credentials.json', '.npmrc', '.bashrc', '.zshenv', '.bash_profile', '.bash_aliases'],
  ...['.xonshrc', '.logout', 'config.fish', 'profile.ps1', 'Microsoft.PowerShell_profile.ps1'],
  ...['.docker/config.json', '.aws/sso/cache/x', '.kube/config', 'etc/shadow', 'Deploy_RSA'],
  ...['.ssh/config', '.git-credentials', 'a.tfstate.backup', '.config/gcloud/x/y', 'Login Data'],
  ...['.mkshrc', '.xprofile', '.cuervo/cuervo.db', '.env/a.txt', 'keys.pem/a', 'id_rsa/a/b'],
];
const others = ['env', 'a.txt', 'pem', 'src/a.key.ts', '.gitignore', 'config.ts', 'src/id_rs'];

describe('withheldAttributes()', () => {
  it('hides what is protected by its name, wherever it lies, and nothing else', () => {
    const paths = [...names, ...names.map((name) => `deep/er/${name}`)];
    expect(paths.filter((path) => !isProtectedPath(path))).toEqual([]);
    expect(hidden([], paths)).toEqual(paths);
    expect(others.filter(isProtectedPath)).toEqual([]);
    expect(hidden([], others)).toEqual([]);
  });

  it.each([
    [[':add secrets/**']],
    [[':add own']],
    [[':add *.token', ':lift .env.example']],
    [[':add with space.txt']],
    [[':lift keys/*.pem']],
  ])('agrees with what is withheld from the file system: %j', (entries) => {
    const { isProtected } = createContentGate({ work: entries });
    const paths = [
      ...['secrets/a', 'secrets/b/c', 'sub/secrets/a', 'own', 'own/a', 'sub/own', 'sub/own/b/c'],
      ...['a.token', 'sub/a.TOKEN', '.env.example', 'sub/.env.example', 'with space.txt'],
      ...['keys/a.pem', 'b.pem', 'other.txt'],
    ];
    expect(hidden(entries, paths)).toEqual(paths.filter((path) => isProtected(path, 'work')));
  });
});
