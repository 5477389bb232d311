import { isDeepStrictEqual } from 'node:util';
import { parse, stringify } from 'smol-toml';
import { KernelError } from '../contracts/error.ts';

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
