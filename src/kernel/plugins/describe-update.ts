import { escapeText } from '../../host/install/component/printable.ts';
import type { PluginRecord } from '../../host/install/plugin-record.ts';

type Compared = Pick<PluginRecord, 'name' | 'version' | 'sha256' | 'wants' | 'tools'>;

/**
 * What changes for a person who installs a plugin over another of its name: an older version,
 * what it newly wants, tools that may do more than they said before, and what is held no longer.
 *
 * @param held grants of the installed one, as they are written
 * @returns one sentence a line, safe to print; none where it is the same binary
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
  if (less.length > 0) lines.push(`It no longer wants: ${less.join(', ')}.`);
  for (const { name, effect } of next.tools) {
    const before = old.tools.find((tool) => tool.name === name)?.effect;
    if (before !== undefined && effects.indexOf(effect) > effects.indexOf(before))
      lines.push(`Its tool ${name} was "${before}" and is "${effect}".`);
  }
  const lost = held.filter((grant) => !granted.includes(grant));
  if (lost.length > 0) lines.push(`It no longer holds what the old one held: ${lost.join(', ')}.`);
  return lines;
}

const effects: readonly string[] = ['pure', 'read', 'write', 'external'];

/** By the rules of semantic versions, as far as order goes: a suffix comes before its version. */
function compareVersions(one: string, other: string): number {
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
