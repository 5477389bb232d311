import * as v from 'valibot';
import { capabilityNames } from '../../contracts/capabilities.ts';
import { KernelError } from '../../contracts/error.ts';
import { effects } from '../../contracts/tool.ts';
import { isTooDeep } from '../../lib/text/parse-json.ts';
import type { PluginRecord } from './plugin-record.ts';

/** Characters: a lock has some thousand for each plugin. */
const maxLength = 16 * 1024 * 1024;

/**
 * The JSON of a lock file of this version, nothing of it checked further.
 *
 * @throws {KernelError} `plugin-fault` naming a mark of git, the newer version that wrote it, or its
 *   size
 */
export function parseLockJson(text: string, path: string): unknown {
  if (text.length > maxLength) {
    throw unlike(path, `has ${text.length} characters, limit ${maxLength}`);
  }
  if (isTooDeep(text)) throw unlike(path, 'is nested too deep');
  let value: unknown;
  try {
    // Some editors write a byte order mark.
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (thrown) {
    refuseMarks(text, path);
    throw unlike(path, `is not JSON${placeOf(thrown)}`);
  }
  if (typeof value !== 'object' || value === null) throw unlike(path, 'is not a JSON object');
  const version = (value as { lockVersion?: unknown }).lockVersion;
  if (typeof version !== 'number' || version <= 1) return value;
  const message = `${path} was written by a newer cuervo: it has version ${version}, this one reads 1`;
  throw new KernelError('plugin-fault', message, {
    hint: 'Update cuervo, or restore the file of before.',
  });
}

function refuseMarks(text: string, path: string): void {
  const mark = /^(?:<{7}|={7}|>{7}|\|{7})(?: |\r?$)/m.exec(text);
  if (mark === null) return;
  const line = text.slice(0, mark.index).split('\n').length;
  throw new KernelError('plugin-fault', `${path} line ${line} is a mark of a merge conflict`, {
    hint: 'Settle the conflict and remove the marks; each plugin is in it once, by name.',
  });
}

function unlike(path: string, what: string): KernelError {
  return new KernelError('plugin-fault', `${path} ${what}`, {
    hint: `Restore ${path}, or remove it and install the plugins again.`,
  });
}

/** As Node words it: `… (line 3 column 5)`. */
function placeOf(thrown: unknown): string {
  const place = /\(line \d+ column \d+\)/.exec(thrown instanceof Error ? thrown.message : '')?.[0];
  return place === undefined ? '' : ` ${place}`;
}

const digest = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const strings = v.array(v.string());
const text = v.exactOptional(v.string());

const identitySchema = v.object({
  text: v.pipe(v.string(), v.regex(/^[\x21-\x7e]+$/)),
  kind: v.picklist(['sigstore', 'key']),
  issuer: text,
  repository: text,
  workflow: text,
  repositoryId: text,
});

const record = v.object({
  name: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/)),
  version: v.string(),
  description: v.string(),
  sha256: digest,
  size: v.number(),
  imports: strings,
  exports: strings,
  wants: v.array(v.object({ capability: v.picklist(capabilityNames), why: v.string() })),
  limits: v.optional(v.object({ hostCalls: v.exactOptional(v.number()) })),
  tools: v.array(
    v.object({
      name: v.string(),
      description: v.string(),
      inputSchema: v.record(v.string(), v.unknown()),
      outputSchema: v.optional(v.record(v.string(), v.unknown())),
      effect: v.picklist(effects),
      examples: v.array(v.record(v.string(), v.unknown())),
    }),
  ),
  transpiler: v.string(),
  files: v.record(
    v.pipe(v.string(), v.regex(/^component(\.core\d*\.wasm|\.js|\.code|\.adapter\.json)$/)),
    digest,
  ),
  packed: v.optional(
    v.record(v.pipe(v.string(), v.regex(/^component(\.core\d*)?\.wasm$/)), digest),
  ),
  pages: v.record(v.string(), v.number()),
  maxPages: v.number(),
  memoryBytes: v.exactOptional(v.number()),
  source: v.string(),
  base: text,
  resolved: text,
  identity: v.exactOptional(identitySchema),
  publishedAs: text,
  data: text,
  licence: text,
  homepage: text,
  installedMs: v.number(),
});

const lock = v.object({
  lockVersion: v.literal(1),
  plugins: v.array(record),
  previous: v.exactOptional(v.array(record)),
});

/** Counts up where the schema above asks for more: what an older cuervo wrote is then checked again. */
const schemaNumber = 1;

/** Installed plugins, and for each the one that it replaced. */
export type Lock = { plugins: PluginRecord[]; previous: PluginRecord[] };

/**
 * @param path for messages
 * @throws {KernelError} `plugin-fault`: a lock that cannot be read is not an empty lock
 */
export function parseLock(content: string, path: string): Lock {
  if (isAsWritten(content)) return withPrevious(JSON.parse(content) as Partial<Lock>);
  const parsed = v.safeParse(lock, parseLockJson(content, path), { abortEarly: true });
  if (!parsed.success) {
    const key = v.getDotPath(parsed.issues[0]) ?? '(all)';
    throw new KernelError('plugin-fault', `${path} has a wrong "${key}"`, {
      hint: `Restore ${path}, or remove it and install the plugins again.`,
    });
  }
  return withPrevious(parsed.output as Partial<Lock>);
}

function withPrevious({ plugins = [], previous = [] }: Partial<Lock>): Lock {
  return { plugins, previous };
}

const checkedLine = /^\{\n "checked": "([0-9a-f]{16})",\n/;

/**
 * Nothing changed it since `formatLock` wrote what was checked before. To check a hundred plugins
 * field by field takes each command 10 ms, to parse them 1 ms.
 */
function isAsWritten(content: string): boolean {
  const [line, sum] = checkedLine.exec(content) ?? [];
  return line !== undefined && sum === sumOf(content.slice(line.length));
}

/**
 * Tells that somebody edited the lock, and no more: who would forge this sum may as well write the
 * lock. To load the library of real digests takes longer than the check that this saves.
 *
 * @returns two sums of 32 bits as FNV makes them, hex
 */
function sumOf(rest: string): string {
  const bytes = Buffer.from(rest);
  const words = new Uint32Array(Math.ceil(bytes.length / 4));
  new Uint8Array(words.buffer).set(bytes);
  let [one, other] = [schemaNumber, bytes.length];
  // Every command of a home with many plugins comes by here once, before the engine has compiled it:
  // an iterator takes twice as long.
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] as number;
    one = Math.imul(one ^ word, 0x01000193);
    other = Math.imul(other + word, 0x01000193);
  }
  return [one, other].map((sum) => (sum >>> 0).toString(16).padStart(8, '0')).join('');
}

/**
 * A lock that the build wrote beside the program, which is as good as the program.
 *
 * @throws {KernelError} `plugin-fault` where it is not whole
 */
export function readShippedLock(content: string, path: string): Lock {
  try {
    const { plugins } = JSON.parse(content) as Partial<Lock>;
    if (plugins !== undefined) return { plugins, previous: [] };
  } catch {
    // The other one says what is wrong with it.
  }
  return parseLock(content, path);
}

/** A record of `prepared/` for a plugin that is not installed; undefined for other content. */
export function parseRecord(content: string): PluginRecord | undefined {
  try {
    const parsed = v.safeParse(record, JSON.parse(content), { abortEarly: true });
    return parsed.success ? (parsed.output as PluginRecord) : undefined;
  } catch {
    return undefined;
  }
}

export function formatLock({ plugins, previous }: Lock): string {
  const kept = previous.length === 0 ? {} : { previous };
  const made = { lockVersion: 1, plugins, ...kept };
  const rest = `${JSON.stringify(made, null, 1)}\n`.slice(2);
  const isWhole = v.is(lock, made);
  return isWhole ? `{\n "checked": "${sumOf(rest)}",\n${rest}` : `{\n${rest}`;
}
