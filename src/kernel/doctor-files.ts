import { type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { readTextIfPresent } from '../lib/read-text-if-present.ts';
import { reasonOf } from '../lib/reason-of.ts';
import { isExpired } from '../policy/change-grants.ts';
import { parseGrantsFile } from '../policy/parse-grants-file.ts';
import { type Finding, shellWord } from './doctor-finding.ts';
import { grantsPath } from './grants.ts';
import { readSecrets, secretsPath } from './secrets.ts';

/** Names that hold what was asked, or what plugins may do; SQLite keeps rows in all three. */
const privateFiles = ['grants.toml', 'secrets.toml', 'cuervo.db', 'cuervo.db-wal', 'cuervo.db-shm'];

/** That nobody but the owner reads or writes what lies in `CUERVO_HOME`. */
export function checkPermissions(home: string): Finding[] {
  try {
    return checkModes(home);
  } catch (thrown) {
    // Above it lies a folder that may not be entered.
    const fix = `namei -l ${shellWord(home)}`;
    return [{ name: 'home', status: 'fail', finding: reasonOf(thrown), fix }];
  }
}

function checkModes(home: string): Finding[] {
  const found = stat(home);
  if (found === undefined) {
    return [
      { name: 'home', status: 'ok', finding: `${home} is not there yet; its first use makes it` },
    ];
  }
  if (!found.isDirectory()) {
    const fix = `mv ${shellWord(home)} ${shellWord(`${home}.old`)}`;
    return [{ name: 'home', status: 'fail', finding: `${home} is no folder`, fix }];
  }
  const files = privateFiles.flatMap((name): Finding[] => {
    const path = join(home, name);
    const file = stat(path);
    // SQLite removes its own when nobody has the database open; they are worth no line when fine.
    if (file === undefined) return [];
    const finding = checkMode(name, path, file, 0o600);
    return finding.status === 'ok' && name.startsWith('cuervo.db-') ? [] : [finding];
  });
  return [checkMode('home', home, found, 0o700), ...files];
}

function checkMode(name: string, path: string, found: Stats, wanted: number): Finding {
  const uid = process.getuid?.();
  if (uid === undefined) {
    return { name, status: 'ok', finding: `${path} is there; this system has no permission bits` };
  }
  if (found.uid !== uid) {
    const finding = `${path} belongs to user ${found.uid}, not to you`;
    return { name, status: 'fail', finding, fix: `sudo chown ${uid} ${shellWord(path)}` };
  }
  const mode = octal(found.mode & 0o777);
  if ((found.mode & 0o077) === 0) {
    return { name, status: 'ok', finding: `${path} is yours alone (${mode})` };
  }
  const finding = `${path} is open to others (${mode})`;
  return { name, status: 'fail', finding, fix: `chmod ${octal(wanted)} ${shellWord(path)}` };
}

/** That every grant can be read: until then no plugin runs with one. */
export function checkGrants(home: string, nowMs: number): Finding {
  const path = grantsPath(home);
  try {
    const text = readTextIfPresent(path);
    if (text === undefined) return { name: 'grants', status: 'ok', finding: 'nothing is granted' };
    const entries = parseGrantsFile(text);
    const held = entries.filter((entry) => !isExpired(entry, nowMs));
    const count = held.reduce((sum, { capabilities }) => sum + capabilities.length, 0);
    const expired = entries.length - held.length;
    const rest = expired === 0 ? '' : `; ${expired} expired entries give nothing`;
    return { name: 'grants', status: 'ok', finding: `${count} granted by you${rest}` };
  } catch (thrown) {
    return { name: 'grants', status: 'fail', finding: reasonOf(thrown), fix: edit(path) };
  }
}

/** That every secret can be read, where there are any. */
export function checkSecrets(home: string): Finding[] {
  const path = secretsPath(home);
  if (stat(path) === undefined) return [];
  try {
    const { key, secrets } = readSecrets(home);
    const by = { keychain: 'a key in the keychain', passphrase: 'a passphrase' };
    const sealed = key === undefined ? '' : `, sealed with ${by[key.place]}`;
    const finding = `${secrets.length} kept, for their origins alone${sealed}`;
    return [{ name: 'secrets', status: 'ok', finding }];
  } catch (thrown) {
    return [{ name: 'secrets', status: 'fail', finding: reasonOf(thrown), fix: edit(path) }];
  }
}

/** The command that opens a file for a person. */
export function edit(path: string): string {
  return `\${EDITOR:-vi} ${shellWord(path)}`;
}

function octal(mode: number): string {
  return `0${mode.toString(8)}`;
}

function stat(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}
