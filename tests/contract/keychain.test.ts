import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const child = resolve(import.meta.dirname, 'children/use-secrets.ts');
const hasKeychain = ['dbus-run-session', 'gnome-keyring-daemon'].every(
  (name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).error === undefined,
);

describe.skipIf(!hasKeychain)(
  'secrets by the keychain (needs: apt-get install dbus gnome-keyring)',
  () => {
    let home: string;
    beforeAll(() => {
      home = mkdtempSync(join(tmpdir(), 'cuervo-keychain-'));
    });
    afterAll(() => rmSync(home, { recursive: true }));
    const use = (what: string): string => `"${process.execPath}" "${child}" "${home}" ${what}`;
    const runShell = (
      command: string,
      program = 'sh',
      before: readonly string[] = [],
    ): string[] => {
      const { stdout } = spawnSync(program, [...before, '-c', command], {
        encoding: 'utf8',
        env: { PATH: process.env.PATH, HOME: home, XDG_RUNTIME_DIR: home },
      });
      return stdout.split('\n').filter((line) => /^(?:found|failed)/.test(line));
    };
    /** A session of a desktop whose keychain is open, from its beginning to its end. */
    const inSession = (...commands: string[]): string[] => {
      const unlock = 'printf pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null';
      return runShell([unlock, ...commands].join('\n'), 'dbus-run-session', ['--', 'sh']);
    };
    const file = (): string => readFileSync(join(home, 'secrets.toml'), 'utf8');

    it('keeps a key that another process of the session finds, in a later session, too', () => {
      expect(inSession(use('set'), use('find'))).toEqual([
        'found a-very-s3cret-value',
        'found a-very-s3cret-value',
      ]);
      expect(file()).toContain('place = "keychain"');
      expect(file()).not.toContain('s3cret');
      expect(inSession(use('find'))).toEqual(['found a-very-s3cret-value']);
    });

    it('finds nothing without the keychain, and says so', () => {
      const [failed] = runShell(use('find'));
      expect(failed).toMatch(/^failed: the keychain cannot be read/);
    });

    it('forgets the key with the last secret', () => {
      const before = file();
      expect(inSession(use('remove'))).toEqual(['found undefined']);
      expect(file()).not.toContain('[key]');
      writeFileSync(join(home, 'secrets.toml'), before);
      expect(inSession(use('find'))).toEqual(['failed: the keychain holds no key of the secrets']);
    });
  },
);
