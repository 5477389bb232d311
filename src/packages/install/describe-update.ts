import { capabilityRow, grantForm, isCapability } from '../../contracts/capabilities.ts';
import type { PluginRecord } from '../../host/install/plugin-record.ts';
import { escapeText } from '../../lib/text/printable.ts';

type Compared = Pick<PluginRecord, 'name' | 'version' | 'sha256' | 'wants' | 'tools'> &
  Partial<Pick<PluginRecord, 'imports' | 'identity' | 'size' | 'resolved'>>;

/**
 * The changes for a person who installs a plugin over another of its name: an older version, new
 * wants, tools that may do more than before, and lost grants.
 *
 * @param held grants of the installed one, as they are written
 * @returns one sentence a line, safe to print; empty for the same binary
 */
export function describeUpdate(
  old: Compared,
  next: Compared,
  { held, granted }: { held: readonly string[]; granted: readonly string[] },
): string[] {
  if (old.sha256 === next.sha256) return [];
  const order = compareVersions(next.version, old.version);
  const kind =
    order < 0
      ? 'an older version'
      : order > 0
        ? 'a newer version'
        : 'another binary of that version';
  const lines = [
    `It replaces ${old.name} ${escapeText(old.version)} by ${escapeText(next.version)}: ${kind}.`,
  ];
  const names = ({ wants }: Compared): string[] => wants.map(({ capability }) => capability);
  const more = names(next).filter((name) => !names(old).includes(name));
  const less = names(old).filter((name) => !names(next).includes(name));
  if (more.length > 0) lines.push(`It now also wants: ${more.join(', ')}.`);
  const missing = more
    .filter(isCapability)
    .filter((name) => capabilityRow(name).grant !== 'none' && !isHeld(name, granted));
  if (missing.length > 0) {
    const forms = missing.map(grantForm).join(' ');
    lines.push(`Not granted until you type: cuervo plugin grant ${next.name} ${forms}`);
  }
  if (less.length > 0) lines.push(`It no longer wants: ${less.join(', ')}.`);
  lines.push(...importsOf(old, next), ...toolsOf(old, next));
  for (const { name, effect } of next.tools) {
    const before = old.tools.find((tool) => tool.name === name)?.effect;
    if (before !== undefined && effects.indexOf(effect) > effects.indexOf(before))
      lines.push(`Its tool ${name} was "${before}" and is "${effect}".`);
  }
  if (old.identity?.text !== next.identity?.text) {
    lines.push(
      `It is by ${next.identity?.text ?? 'nobody'}; before by ${old.identity?.text ?? 'nobody'}.`,
    );
  }
  if (old.size !== undefined && next.size !== undefined && old.size !== next.size) {
    lines.push(`It has ${next.size} bytes; before ${old.size}.`);
  }
  const lost = held.filter((grant) => !granted.includes(grant));
  if (lost.length > 0) lines.push(`It no longer holds what the old one held: ${lost.join(', ')}.`);
  return lines;
}

/**
 * Says that updates will come from another source, even if nothing else changed.
 *
 * @param word "from now on" or "again"
 * @returns one sentence, safe to print, or nothing
 */
export function describeSource(
  old: Pick<PluginRecord, 'source'> | undefined,
  next: Pick<PluginRecord, 'source'>,
  word: string,
): string[] {
  if (old === undefined || old.source === next.source) return [];
  const [before, now] = [old, next].map(({ source }) => escapeText(source));
  return [`Its updates come from ${now} ${word}; before from ${before}.`];
}

function isHeld(capability: string, granted: readonly string[]): boolean {
  return granted.some((grant) => grant.split(':', 1)[0] === capability);
}

/** Strings of the binary beyond its wants: interfaces of WASI, for instance. */
function importsOf({ imports: old = [] }: Compared, { imports: next = [] }: Compared): string[] {
  const more = next.filter((name) => !old.includes(name));
  const less = old.filter((name) => !next.includes(name));
  return [
    ...(more.length > 0 ? [`It now also imports: ${shown(more)}.`] : []),
    ...(less.length > 0 ? [`It no longer imports: ${shown(less)}.`] : []),
  ];
}

function toolsOf({ tools: old }: Compared, { tools: next }: Compared): string[] {
  const isIn = (tools: Compared['tools'], name: string): boolean =>
    tools.some((tool) => tool.name === name);
  const more = next.filter(({ name }) => !isIn(old, name));
  const less = old.filter(({ name }) => !isIn(next, name));
  return [
    ...(more.length > 0
      ? [`New tools: ${shown(more.map(({ name, effect }) => `${name} (${effect})`))}.`]
      : []),
    ...(less.length > 0 ? [`Tools that are gone: ${shown(less.map(({ name }) => name))}.`] : []),
  ];
}

/** Names only the first of many, so that a person reads them. */
function shown(names: readonly string[]): string {
  const some = names.slice(0, 12).map(escapeText).join(', ');
  return names.length > 12 ? `${some} and ${names.length - 12} more` : some;
}

const effects: readonly string[] = ['pure', 'read', 'write', 'external'];

/**
 * By the rules of semantic versions, as far as order goes: a suffix comes before its version.
 *
 * @returns below 0 where `one` is the older
 */
export function compareVersions(one: string, other: string): number {
  const split = (version: string): [core: string, suffix: string] => {
    const [, core = version, suffix = ''] = /^([^-+]*)(?:-([^+]*))?/.exec(version) ?? [];
    return [core, suffix];
  };
  const [core, suffix] = split(one);
  const [otherCore, otherSuffix] = split(other);
  const byNumber = core.localeCompare(otherCore, 'en', { numeric: true });
  if (byNumber !== 0 || suffix === otherSuffix) return byNumber;
  if (suffix === '') return 1;
  if (otherSuffix === '') return -1;
  return suffix.localeCompare(otherSuffix, 'en', { numeric: true });
}
