import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse, stringify } from 'smol-toml';
import { KernelError } from '../contracts/error.ts';
import { changeAlone } from '../lib/files/lock-file.ts';
import { realPath } from '../lib/files/paths.ts';
import { readTextIfPresent } from '../lib/files/read-file.ts';
import { writeFileWhole } from '../lib/files/write-file-whole.ts';
import { configKeys, nearKeys, parseConfig } from './parse-config.ts';

export type ConfigChange = { before: string; after: string };

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
  return { before, after };
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

type Table = { [key: string]: unknown };

/**
 * A TOML text with one key changed, and every other line as it was: comments, blanks and order.
 *
 * @param value undefined takes the key out
 * @throws {KernelError} `conflict` where the text writes the key in a way that is not changed here,
 *   as within `{ }`
 */
export function editToml(text: string, path: readonly string[], value: unknown): string {
  const wanted = withValue(structuredClone(parse(text)), path, value);
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const edited = editLines(text.split(/\r?\n/), path, value).join(end);
  // The lines are found by simple forms; this is what makes sure that they were the right ones.
  if (isDeepStrictEqual(parsedOrNothing(edited), wanted)) return edited;
  throw new KernelError('conflict', `"${path.join('.')}" cannot be changed line by line here`, {
    hint: 'Change it in your editor: cuervo config edit',
  });
}

const headerForm = /^\s*\[([^[\]]+)\]\s*(?:#.*)?$/;

function editLines(lines: readonly string[], path: readonly string[], value: unknown): string[] {
  const table = path.slice(0, -1);
  const literal = value === undefined ? [] : [assignment(path.slice(-1), value)];
  let here: readonly string[] = [];
  /** behind the last line of the table; a table that is not there follows all lines */
  let behind = table.length === 0 ? 0 : undefined;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const header = headerForm.exec(line)?.[1];
    const [, before, key] = /^(\s*([^=#]+?)\s*=\s*)/.exec(line) ?? [];
    if (header !== undefined) here = keyPath(header) ?? here;
    else if (key !== undefined) {
      const length = lengthOf(lines.slice(at));
      if (isDeepStrictEqual([...here, ...(keyPath(key) ?? [])], path)) {
        const changed =
          value === undefined ? [] : [`${before}${valueText(value)}${commentOf(line)}`];
        return [...lines.slice(0, at), ...changed, ...lines.slice(at + length)];
      }
      at += length - 1;
    } else if (here.length > 0 || headerForm.test(lines[at + 1] ?? '')) continue;
    if (isDeepStrictEqual(here, table) && line.trim() !== '') behind = at + 1;
  }
  if (literal.length === 0) return [...lines];
  if (behind !== undefined) return lines.toSpliced(behind, 0, ...literal);
  const kept = lines.at(-1) === '' ? lines.slice(0, -1) : lines;
  const gap = kept.length === 0 ? [] : [''];
  return [...kept, ...gap, `[${table.map((name) => keyText(name)).join('.')}]`, ...literal, ''];
}

/** Lines that the value of the first one takes: a list may go over many. */
function lengthOf(lines: readonly string[]): number {
  for (let count = 1; count <= lines.length; count += 1) {
    if (parsedOrNothing(lines.slice(0, count).join('\n')) !== undefined) return count;
  }
  return 1;
}

/** The blanks and the comment behind the value of a line. */
function commentOf(line: string): string {
  const whole = parsedOrNothing(line);
  for (let at = line.indexOf('#'); at !== -1; at = line.indexOf('#', at + 1)) {
    const before = line.slice(0, at);
    if (whole === undefined || !isDeepStrictEqual(parsedOrNothing(before), whole)) continue;
    return line.slice(before.trimEnd().length);
  }
  return '';
}

function keyPath(key: string): string[] | undefined {
  let at: unknown = parsedOrNothing(`${key} = 0`);
  if (at === undefined) return undefined;
  const path: string[] = [];
  while (typeof at === 'object' && at !== null) {
    const [entry] = Object.entries(at);
    if (entry === undefined) break;
    path.push(entry[0]);
    at = entry[1];
  }
  return path;
}

function assignment(path: readonly string[], value: unknown): string {
  return `${path.map((name) => keyText(name)).join('.')} = ${valueText(value)}`;
}

function keyText(name: string): string {
  return stringify({ [name]: 0 }).split(' = ')[0] ?? name;
}

export function valueText(value: unknown): string {
  return stringify({ v: value }).trim().replace(/^v = /, '');
}

function parsedOrNothing(text: string): Table | undefined {
  try {
    // As plain objects, which compare equal to ours.
    return structuredClone(parse(text));
  } catch {
    return undefined;
  }
}

function withValue(root: Table, path: readonly string[], value: unknown): Table {
  const [name = '', ...rest] = path;
  if (rest.length > 0) {
    const below = withValue((root[name] ?? {}) as Table, rest, value);
    return value === undefined && !(name in root) ? root : { ...root, [name]: below };
  }
  const { [name]: _, ...others } = root;
  return value === undefined ? others : { ...root, [name]: value };
}
