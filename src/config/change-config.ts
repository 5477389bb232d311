import { join } from 'node:path';
import { parse } from 'smol-toml';
import { KernelError } from '../contracts/error.ts';
import { changeAlone } from '../lib/files/lock-file.ts';
import { realPath } from '../lib/files/paths.ts';
import { readTextIfPresent } from '../lib/files/read-file.ts';
import { writeFileWhole } from '../lib/files/write-file-whole.ts';
import { editToml } from './edit-toml.ts';
import { configKeys, nearKeys, parseConfig } from './parse-config.ts';

export type ConfigChange = { path: string; before: string; after: string };

export function configPath(home: string): string {
  return join(home, 'config.toml');
}

/** The text of `config.toml`, empty where there is none. */
export function readConfigText(home: string): string {
  return readTextIfPresent(configPath(home)) ?? '';
}

/**
 * What `config.toml` says, as dotted keys.
 *
 * @throws {KernelError} `invalid-argument` for a wrong file
 */
export function configValues(home: string): Map<string, unknown> {
  return new Map(flatten(parseConfig(readConfigText(home), configPath(home))));
}

/** @throws {KernelError} `invalid-argument` for what is no key, with the nearest one */
export function checkKey(key: string): void {
  const known = configKeys().map((each) => each.key);
  const names = key.split('.');
  const isNamed = (each: string) => {
    const parts = each.split('.');
    const isSame = (part: string, at: number) =>
      names[at] === part || (part === 'NAME' && names[at]);
    return parts.length === names.length && parts.every(isSame);
  };
  if (known.some(isNamed)) return;
  const [first] = known.filter((each) => each.startsWith(`${key}.`));
  const message =
    first === undefined
      ? `there is no key "${key}"${nearKeys(key)}`
      : `"${key}" is a table; name a key of it, e.g. ${first}`;
  throw new KernelError('invalid-argument', message, {
    hint: 'See all keys with: cuervo config list --all',
  });
}

/**
 * Changes one key of `config.toml`. What was there lies in `config.toml.bak` afterwards.
 *
 * @param typed as TOML, or a bare word; undefined takes the key out
 * @returns undefined where nothing changes
 * @throws {KernelError} `invalid-argument` for a wrong key, value or file; nothing is written then
 */
export function setConfig(
  home: string,
  key: string,
  typed: string | undefined,
): ConfigChange | undefined {
  checkKey(key);
  const path = configPath(home);
  return changeAlone(path, () => {
    const before = readConfigText(home);
    parseConfig(before, path);
    return replaceText(home, before, editedText(before, key, typed));
  });
}

/** @throws {KernelError} `invalid-argument` for a text that is no configuration; nothing is written */
export function replaceConfig(
  home: string,
  before: string,
  after: string,
): ConfigChange | undefined {
  return changeAlone(configPath(home), () => {
    if (readConfigText(home) !== before) {
      throw new KernelError('conflict', `${configPath(home)} was changed while it was edited`, {
        hint: 'Edit it again: cuervo config edit',
      });
    }
    parseConfig(after, 'the edited text');
    return replaceText(home, before, after);
  });
}

function replaceText(home: string, before: string, after: string): ConfigChange | undefined {
  if (after === before) return undefined;
  // People keep it in a repository of theirs and link to it.
  const path = realPath(configPath(home));
  if (before !== '') writeFileWhole(`${configPath(home)}.bak`, before);
  writeFileWhole(path, after);
  return { path, before, after };
}

function editedText(before: string, key: string, typed: string | undefined): string {
  const path = key.split('.');
  if (typed === undefined) return editToml(before, path, undefined);
  let failure: unknown;
  for (const value of valuesOf(typed)) {
    const after = editToml(before, path, value);
    try {
      parseConfig(after, typed);
      return after;
    } catch (thrown) {
      failure ??= thrown;
    }
  }
  const { message } = KernelError.from(failure, 'invalid-argument');
  throw new KernelError('invalid-argument', message, {
    cause: failure,
    hint: 'See what it takes with: cuervo config list --all',
  });
}

/** What was typed may be TOML; a shell has taken quotes away that were around a text. */
function valuesOf(typed: string): unknown[] {
  try {
    const { v, ...others } = parse(`v = ${typed}`);
    if (Object.keys(others).length === 0 && !(v instanceof Date)) return [v, typed];
  } catch {
    // a bare word
  }
  return [typed];
}

function* flatten(table: object, above = ''): Generator<[string, unknown]> {
  for (const [name, value] of Object.entries(table)) {
    const key = above === '' ? name : `${above}.${name}`;
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      yield* flatten(value, key);
    else yield [key, value];
  }
}
