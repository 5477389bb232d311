import {
  capabilities,
  capabilitiesWhere,
  capabilityNames,
  network,
} from '../../../contracts/capabilities.ts';
import type { InspectReport } from '../../../contracts/output/parse-plugin-output.ts';
import type { PluginIdentity } from '../../../contracts/plugins.ts';
import { wrapText } from '../../../lib/text/columns.ts';
import { escapeText } from '../../../lib/text/printable.ts';
import { defaultLimits } from '../../limits.ts';
import type { Examined } from '../examine-plugin.ts';
import type { LabelCapability } from './judge-component.ts';
import { derivedDescription } from './manifest-tools.ts';
import type { ToolDescription } from './parse-describe.ts';

/**
 * Puts together what was found out about a binary.
 *
 * @param found.tools what `describe()` said; undefined when it was not asked, because the binary
 *   is refused already
 * @param found.reasons more reasons for a refusal, e.g. why it does not compile
 */
export function createInspectReport(found: {
  file: string;
  size: number;
  sha256: string;
  examined: Examined;
  tools: readonly ToolDescription[] | undefined;
  reasons?: readonly string[];
  origin?: Pick<InspectReport, 'resolved' | 'identity' | 'notes'>;
}): InspectReport {
  const { tools, origin } = found;
  const { shape, manifest, judgement, derived } = found.examined;
  const reasons = [...judgement.reasons, ...(found.reasons ?? [])];
  if (reasons.length === 0 && !tools?.length) reasons.push('it offers no tool');
  return {
    file: found.file,
    size: found.size,
    sha256: found.sha256,
    kind: shape.kind === 'module' ? 'module' : judgement.form === 'tools' ? 'plugin' : 'component',
    ...(manifest ? { name: manifest.name, version: manifest.version } : {}),
    ...(manifest && manifest.description !== derivedDescription
      ? { description: manifest.description }
      : {}),
    ...(manifest?.licence === undefined ? {} : { licence: manifest.licence }),
    ...(manifest?.homepage === undefined ? {} : { homepage: manifest.homepage }),
    ...origin,
    imports: judgement.imports,
    exports: judgement.exports,
    capabilities: judgement.capabilities,
    ...(manifest?.limits?.hostCalls === undefined ? {} : { hostCalls: manifest.limits.hostCalls }),
    tools: (tools ?? []).map(({ examples, ...tool }) => tool),
    derived: derived !== undefined && manifest?.tools === undefined,
    withheld: derived?.withheld ?? [],
    verdict: reasons.length === 0 ? 'installable' : 'refused',
    reasons,
  };
}

/** Tools beyond these are counted, not listed: a label has to be read. */
const maxToolsShown = 30;
const maxImportsShown = 30;

type LabelName = LabelCapability['capability'];

/** Gravest first: a label that is not read to its end has said what matters. */
const order: readonly LabelName[] = [
  'network',
  ...capabilityNames.toSorted((a, b) => capabilities[b].gravity - capabilities[a].gravity),
];

/** Every plugin has these; no person decides about them. */
const free = capabilitiesWhere(({ grant }) => grant === 'none');
const isFree = (name: LabelName): boolean => free.some((each) => each === name);

function wordsOf(name: LabelName): { can: string; cannot: string } {
  return name === 'network' ? network : capabilities[name];
}

/**
 * The text before a plugin is installed: the things that the binary could do, and those it cannot
 * do because it does not import them. At most 80 columns, no colour, every character of the
 * stranger's own texts safe to print. Ends without a line break.
 */
export function labelText(report: InspectReport): string {
  const { name, version, file, size, sha256, resolved, description, licence, homepage } = report;
  const title = name === undefined ? titleOf(report) : `${name} ${version ?? ''}`.trim();
  const lines = [
    ...wrap('', title),
    ...(description === undefined ? [] : wrap('  ', description)),
    ...wrap(resolved === undefined ? '  file    ' : '  from    ', file),
    ...(resolved === undefined || resolved === file ? [] : wrap('  exact   ', resolved)),
    ...publisherOf(report),
    ...(licence === undefined ? [] : wrap('  licence ', licence)),
    ...(homepage === undefined ? [] : wrap('  page    ', homepage)),
    ...wrap('  size    ', sizeText(size)),
    ...wrap('  sha256  ', sha256),
    '',
    ...(report.verdict === 'installable' ? abilitiesOf(report) : refusalOf(report)),
    ...toolsOf(report),
    ...withheldOf(report),
  ];
  return lines.join('\n');
}

/** The publisher in plain words. A signature proves who made it, not that it is harmless. */
function publisherOf({ identity, notes = [] }: InspectReport): string[] {
  if (identity === undefined) return [];
  const lines =
    identity === 'nobody'
      ? wrap('  by      ', 'it is not signed, so its publisher is unknown')
      : [
          ...wrap('  by      ', identity.text),
          ...proofOf(identity).flatMap((each) => wrap('          ', each)),
        ];
  return [...lines, ...notes.flatMap((each) => wrap('  note    ', each))];
}

function proofOf({ kind, issuer, repository, workflow }: PluginIdentity): string[] {
  if (kind === 'key') return ['a key signed it; whose key that is, its author has to tell you'];
  const built =
    repository === undefined
      ? 'signed it'
      : `built it from ${repository}, by ${workflow ?? 'a workflow'}`;
  return [
    built,
    `proven by a signature in a public log; ${issuer ?? 'its issuer'} says who that is`,
  ];
}

/** An unreadable file has not even a kind: it may be a text. */
function titleOf({ kind, imports, exports, verdict }: InspectReport): string {
  const isBlank = imports.length === 0 && exports.length === 0;
  return verdict === 'refused' && isBlank ? 'no plugin' : `${kind} without a name`;
}

const says = '    its author says: ';

function abilitiesOf({ capabilities, hostCalls }: InspectReport): string[] {
  const held = new Map(capabilities.map((entry) => [entry.capability, entry]));
  const can = order.filter((name) => held.has(name) && !isFree(name) && name !== 'network');
  const cannot = order.filter((name) => !can.includes(name) && !isFree(name));
  const lines: string[] = [];
  if (held.has('network')) {
    lines.push(...wrap('', 'It imports network sockets; they are always denied.'));
  }
  if (can.length === 0 && lines.length > 0) lines.push('It can do nothing else outside itself.');
  else if (can.length === 0) lines.push('It computes, and touches nothing outside itself.');
  else lines.push('It can, if you grant it:');
  for (const name of can) {
    lines.push(...wrap('  - ', wordsOf(name).can));
    const { why, by } = held.get(name) ?? {};
    if (why !== undefined) lines.push(...wrap(by === 'imports' ? '    it ' : says, why));
    if (name === 'exec')
      lines.push(...wrap('    ', 'a program needs a folder to run in, too (fs:ROOT)'));
  }
  for (const name of free) {
    if (held.has(name)) lines.push(...wrap('It can: ', wordsOf(name).can));
  }
  if (hostCalls !== undefined && hostCalls > defaultLimits.maxHostCalls) {
    const usual = defaultLimits.maxHostCalls;
    const asks = `It asks for up to ${hostCalls} host calls in one call, where ${usual} are usual (limits.max-asked-host-calls).`;
    lines.push(...wrap('', asks));
  }
  lines.push(
    '',
    ...wrap('It cannot: ', `${cannot.map((name) => wordsOf(name).cannot).join(', ')}.`),
  );
  return lines;
}

/** A refused binary is not trusted to be understood: no word of what it cannot do. */
function refusalOf({ reasons, imports }: InspectReport): string[] {
  const lines = ['Refused:', ...reasons.flatMap((reason) => wrap('  - ', reason))];
  const unnamed = imports.filter((name) => !reasons.some((reason) => reason.includes(name)));
  if (unnamed.length > 0) {
    lines.push('', unnamed.length < imports.length ? 'It also imports:' : 'It imports:');
    lines.push(...unnamed.slice(0, maxImportsShown).flatMap((name) => wrap('  - ', name)));
    if (unnamed.length > maxImportsShown) {
      lines.push(`  … and ${unnamed.length - maxImportsShown} more`);
    }
  }
  return lines;
}

function toolsOf({ tools, derived }: InspectReport): string[] {
  if (tools.length === 0) return [];
  const lines = ['', tools.length === 1 ? 'It offers 1 tool:' : `It offers ${tools.length} tools:`];
  for (const { name, effect, description } of tools.slice(0, maxToolsShown)) {
    const [line = ''] = wrapText(`  ${name} (${effect}): `, oneLine(description), 79);
    const whole = oneLine(description).length <= line.length - `  ${name} (${effect}): `.length;
    lines.push(whole ? line : `${line}…`);
  }
  if (tools.length > maxToolsShown) lines.push(`  … and ${tools.length - maxToolsShown} more`);
  if (derived) {
    const told =
      'It describes no tools: its exports are the tools, and their effects follow from its imports.';
    lines.push(...wrap('', told));
  }
  return lines;
}

/** Withheld parts of an installable plugin; a refused one offers nothing. */
function withheldOf({ withheld, verdict }: InspectReport): string[] {
  if (withheld.length === 0 || verdict === 'refused') return [];
  const lines = ['', 'Not offered as tools:'];
  lines.push(...withheld.slice(0, maxToolsShown).flatMap((sentence) => wrap('  - ', sentence)));
  if (withheld.length > maxToolsShown)
    lines.push(`  … and ${withheld.length - maxToolsShown} more`);
  return lines;
}

function wrap(first: string, text: string): string[] {
  return wrapText(first, escapeText(text));
}

/** The first paragraph, on one line. */
function oneLine(description: string): string {
  return escapeText(
    description
      .split('\n')
      .find((line) => line.trim() !== '')
      ?.trim() ?? '',
  );
}

/** `1.6 MB (1632888 bytes)` */
function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  const [value, unit] = bytes < 1_000_000 ? [bytes / 1_000, 'kB'] : [bytes / 1_000_000, 'MB'];
  return `${value.toFixed(1)} ${unit} (${bytes} bytes)`;
}
