import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { filesWith } from '../fixtures/files-with.ts';
import { openTerminal, tmuxMissing } from '../fixtures/terminal/in-tmux.ts';
import { openPlace, type Place } from '../support/place.ts';
import { program } from '../support/run-cuervo.ts';

const value = 'a-very-s3cret-value';
const passphrase = 'correct horse';
const origin = 'https://api.example.org';
const set = (place: Place, ...args: string[]) =>
  place.cuervo(['secret', 'set', ...args], {
    stdin: `${value}\n`,
    env: { CUERVO_SECRETS_PASSPHRASE: passphrase },
  });

describe('cuervo secret', () => {
  it('keeps what comes on standard input, lists it without its value, and forgets it', async () => {
    using place = openPlace();
    const none = await place.cuervo(['secret', 'list']);
    expect(none).toMatchObject({ code: 0, stdout: '', stderr: 'there are no secrets\n' });
    const other = 'http://127.0.0.1:8080';
    const kept = await set(place, 'API_TOKEN', '--for', origin, '--for', other);
    expect(kept).toMatchObject({ code: 0, stdout: `kept API_TOKEN for ${origin} ${other}\n` });
    const file = join(place.home, 'secrets.toml');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toContain('[[secret]]\nname = "API_TOKEN"');
    expect(filesWith(place.home, value)).toEqual([]);
    const listed = await place.cuervo(['secret', 'list', '--json']);
    expect(listed.rows).toEqual([{ name: 'API_TOKEN', origins: [origin, other] }]);
    expect(kept.stderr + kept.stdout + listed.stdout + listed.stderr).not.toContain(value);
    const removed = await place.cuervo(['secret', 'remove', 'API_TOKEN']);
    expect(removed).toMatchObject({ code: 0, stdout: 'removed API_TOKEN\n' });
    expect(readFileSync(file, 'utf8')).not.toContain('API_TOKEN');
    const again = await place.cuervo(['secret', 'remove', 'API_TOKEN']);
    expect(again.code).toBe(4);
    expect(again.stderr).toContain('cuervo secret list');
  });

  it('journals the name and the origins of a change, and not the value', async () => {
    using place = openPlace();
    await set(place, 'API_TOKEN', '--for', origin);
    await place.cuervo(['secret', 'remove', 'API_TOKEN']);
    const database = new Database(join(place.home, 'cuervo.db'), { readonly: true });
    const rows = database.prepare('SELECT command, question, status FROM runs').raw().all();
    database.close();
    expect(rows).toEqual([
      ['secret set', `API_TOKEN --for ${origin}`, 'ok'],
      ['secret remove', 'API_TOKEN', 'ok'],
    ]);
    expect(readFileSync(join(place.home, 'cuervo.db')).includes(value)).toBe(false);
  });

  it('keeps nothing where there is no keychain and no passphrase, and says what to type', async () => {
    using place = openPlace();
    const ran = await place.cuervo(['secret', 'set', 'API_TOKEN', '--for', origin], {
      stdin: `${value}\n`,
    });
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain('CUERVO_SECRETS_PASSPHRASE');
    expect(ran.stderr).not.toContain(value);
    expect(filesWith(place.home, 'API_TOKEN = ')).toEqual([]);
    expect(existsSync(join(place.home, 'secrets.toml'))).toBe(false);
  });

  it.skipIf(tmuxMissing())(
    'asks for a new passphrase twice, shows neither, and opens with it (needs: apt-get install tmux)',
    async () => {
      using place = openPlace();
      using terminal = openTerminal({
        cwd: place.work,
        env: { PATH: process.env.PATH ?? '', CUERVO_HOME: place.home, HOME: place.dir },
      });
      const command = `${process.execPath} ${program} secret set API_TOKEN --for ${origin}`;
      terminal.type(command);
      await terminal.waitFor('Secret API_TOKEN (not shown)');
      terminal.type(value);
      await terminal.waitFor('New passphrase');
      terminal.type(passphrase);
      await terminal.waitFor('Type it again');
      terminal.type('another horse');
      await terminal.waitFor('the two passphrases differ');
      expect(existsSync(join(place.home, 'secrets.toml'))).toBe(false);
      terminal.type(command);
      await terminal.waitFor('Secret API_TOKEN (not shown)', 2);
      terminal.type(value);
      await terminal.waitFor('New passphrase', 2);
      terminal.type(passphrase);
      await terminal.waitFor('Type it again', 2);
      terminal.type(passphrase);
      await terminal.waitFor('kept API_TOKEN for');
      expect(terminal.screen()).not.toMatch(/s3cret|horse/);
      expect((await set(place, 'OTHER', '--for', origin)).code).toBe(0);
    },
  );

  it.each([
    ['without an origin', ['API_TOKEN'], '--for'],
    ['for what is not an origin', ['API_TOKEN', '--for', `${origin}/v1`], 'write the origin as'],
    ['under a name that is none', ['a b', '--for', origin], 'is not a name'],
  ])('keeps nothing %s', async (_, args, says) => {
    using place = openPlace();
    const ran = await set(place, ...args);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(says);
    expect(ran.stderr + ran.stdout).not.toContain(value);
    expect(existsSync(join(place.home, 'secrets.toml'))).toBe(false);
  });
});
