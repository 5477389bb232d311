import { isAbsolute } from 'node:path';
import { stringify, TomlDate } from 'smol-toml';
import * as v from 'valibot';
import type { Grant } from '../contracts/capability.ts';
import { KernelError } from '../contracts/error.ts';
import { quoteText } from '../lib/text/escape.ts';
import { formatGrant, parseGrant } from './parse-grant.ts';
import { parseToml } from './parse-toml.ts';

const maxFileLength = 1024 * 1024;
const fileName = 'grants.toml';

/** What a person granted to one binary of one plugin. */
export type GrantEntry = {
  plugin: string;
  /** SHA-256 of the binary, hex: another version holds nothing of it */
  digest: string;
  capabilities: readonly Grant[];
  /** real absolute path of the workspace where it holds; everywhere without one */
  project?: string;
  /** ms since the epoch */
  grantedMs: number;
  /** ms since the epoch; from then on the entry grants nothing */
  expiresMs?: number;
};

const time = v.pipe(
  v.instance(TomlDate, 'is not a time like 2026-11-21T12:00:00Z'),
  v.check(
    (date) => date.isValid() && date.isDateTime() && !date.isLocal(),
    'is not a time with a zone, like 2026-11-21T12:00:00Z',
  ),
  v.transform((date) => date.getTime()),
);

const capability = v.pipe(
  v.string('is not a string'),
  v.rawTransform<string, Grant>(({ dataset, addIssue, NEVER }) => {
    try {
      return parseGrant(dataset.value);
    } catch (thrown) {
      addIssue({ message: `is wrong: ${thrown instanceof Error ? thrown.message : ''}` });
      return NEVER;
    }
  }),
);

const fileSchema = v.strictObject({
  grant: v.exactOptional(
    v.array(
      v.strictObject({
        plugin: v.pipe(
          v.string('is not a string'),
          v.regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, 'is not a name of a plugin'),
        ),
        digest: v.pipe(
          v.string('is not a string'),
          v.regex(/^[0-9a-f]{64}$/, 'is not a SHA-256 in hex (64 small letters and digits)'),
        ),
        capabilities: v.array(capability, 'is not a list'),
        project: v.exactOptional(
          v.pipe(v.string('is not a string'), v.check(isAbsolute, 'is not an absolute path')),
        ),
        granted: time,
        expires: v.exactOptional(time),
      }),
      'is not a list of [[grant]]',
    ),
  ),
});

/**
 * `grants.toml`: everything that strangers may do. A file that cannot be read to its last field is
 * an error, never an empty list.
 *
 * @throws {KernelError} `invalid-argument` with the line, and the field where there is one
 */
export function parseGrantsFile(text: string): GrantEntry[] {
  if (text.length > maxFileLength) {
    throw invalid(`${fileName} has ${text.length} characters, limit ${maxFileLength}`);
  }
  const parsed = v.safeParse(
    fileSchema,
    parseToml(text, (what) => invalid(`${fileName} ${what}`)),
    { abortEarly: true },
  );
  if (!parsed.success) {
    const [issue] = parsed.issues;
    throw invalid(`${placeOf(issue, text)} ${messageOf(issue)}`);
  }
  return (parsed.output.grant ?? []).map(({ granted, expires, ...entry }) => ({
    ...entry,
    grantedMs: granted,
    ...(expires === undefined ? {} : { expiresMs: expires }),
  }));
}

const head =
  '# What plugins may do, by plugin and SHA-256 of its binary. Edit it, or remove an entry to\n' +
  '# take the grant back. An entry without a valid field is an error, not less of a grant.\n';

/** The file with these entries, in this order; comments that stood in it are not kept. */
export function formatGrantsFile(entries: readonly GrantEntry[]): string {
  return entries.length === 0 ? head : `${head}\n${formatEntries(entries)}`;
}

/**
 * The file with one entry more, and everything that a person wrote left as it is.
 *
 * @param text of a file that `parseGrantsFile` reads
 * @returns undefined where the entry cannot stand at its end, as behind an inline list
 */
export function appendGrant(text: string, added: GrantEntry): string | undefined {
  if (text.trim() === '') return undefined;
  const longer = `${text.trimEnd()}\n\n${formatEntries([added])}`;
  try {
    const last = parseGrantsFile(longer).at(-1);
    return last !== undefined && formatEntries([last]) === formatEntries([added])
      ? longer
      : undefined;
  } catch {
    return undefined;
  }
}

function formatEntries(entries: readonly GrantEntry[]): string {
  const grant = entries.map(({ plugin, digest, capabilities, project, grantedMs, expiresMs }) => ({
    plugin,
    digest,
    capabilities: capabilities.map(formatGrant),
    ...(project === undefined ? {} : { project }),
    granted: new TomlDate(new Date(grantedMs)),
    ...(expiresMs === undefined ? {} : { expires: new TomlDate(new Date(expiresMs)) }),
  }));
  return stringify({ grant });
}

/** `grants.toml line 7: grant[1].digest` */
function placeOf(issue: v.BaseIssue<unknown>, text: string): string {
  const path = issue.path ?? [];
  const keys = path.map(({ key }) =>
    typeof key === 'number' ? `[${key}]` : `.${quoteText(`${key}`).slice(1, -1)}`,
  );
  const index = path[1]?.key;
  const line = typeof index === 'number' ? lineOfEntry(text, index) : undefined;
  return `${fileName}${line === undefined ? '' : ` line ${line}`}: ${keys.join('').slice(1)}`;
}

/** 1-based line of the nth `[[grant]]`; undefined when entries are written in another form. */
function lineOfEntry(text: string, index: number): number | undefined {
  const lines = text.split('\n').flatMap((line, at) => (/^\s*\[\[/.test(line) ? [at + 1] : []));
  return lines[index];
}

function messageOf(issue: v.BaseIssue<unknown>): string {
  if (issue.type !== 'strict_object') return issue.message;
  if (issue.expected === 'never') return 'is not a field of a grant';
  return issue.received === 'undefined' ? 'is missing' : 'is not a table';
}

function invalid(message: string): KernelError {
  return new KernelError('invalid-argument', message, {
    hint: `Fix or remove the entry in ${fileName}; until then no plugin runs with a grant`,
  });
}

/**
 * The entries with `added` among them. It replaces an earlier entry of the same binary for the same
 * grant and place, whatever its end.
 */
export function addGrants(entries: readonly GrantEntry[], added: GrantEntry): GrantEntry[] {
  const others = entries.flatMap((entry) =>
    entry.plugin === added.plugin &&
    entry.digest === added.digest &&
    entry.project === added.project
      ? without(entry, added.capabilities)
      : [entry],
  );
  return [...others, added];
}

/**
 * The entries without these grants of a plugin, whichever binary of that name holds them.
 *
 * @param grants undefined takes everything
 * @param project takes only grants for this workspace; undefined takes them everywhere
 */
export function takeGrants(
  entries: readonly GrantEntry[],
  plugin: string,
  grants: readonly Grant[] | undefined,
  project?: string,
): { left: GrantEntry[]; taken: Grant[] } {
  const isMeant = (entry: GrantEntry): boolean =>
    entry.plugin === plugin && (project === undefined || entry.project === project);
  const ofPlugin = entries.filter(isMeant);
  const held = ofPlugin.flatMap(({ capabilities }) => capabilities);
  const taken = grants === undefined ? held : held.filter((grant) => isAmong(grant, grants));
  const left = entries.flatMap((entry) => (isMeant(entry) ? without(entry, taken) : [entry]));
  return { left, taken: unique(taken) };
}

/** @param nowMs ms since the epoch; an entry that ends now has ended */
export function isExpired(entry: Pick<GrantEntry, 'expiresMs'>, nowMs: number): boolean {
  return entry.expiresMs !== undefined && entry.expiresMs <= nowMs;
}

/** Whether exactly this grant is in the list; `fs:work` is not `fs:docs`. */
export function isAmong(grant: Grant, grants: readonly Grant[]): boolean {
  return grants.some((other) => formatGrant(other) === formatGrant(grant));
}

function without(entry: GrantEntry, grants: readonly Grant[]): GrantEntry[] {
  const capabilities = entry.capabilities.filter((grant) => !isAmong(grant, grants));
  if (capabilities.length === entry.capabilities.length) return [entry];
  return capabilities.length === 0 ? [] : [{ ...entry, capabilities }];
}

function unique(grants: readonly Grant[]): Grant[] {
  return [...new Map(grants.map((grant) => [formatGrant(grant), grant])).values()];
}
