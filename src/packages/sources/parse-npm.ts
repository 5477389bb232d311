import valid from 'semver/functions/valid.js';
import * as v from 'valibot';
import { KernelError } from '../../contracts/error.ts';
import { escapeLine, quoteText } from '../../lib/text/escape.ts';

const packument = v.object({
  name: v.optional(v.string()),
  'dist-tags': v.optional(v.record(v.string(), v.string()), {}),
  description: v.optional(v.unknown()),
  versions: v.optional(
    v.record(
      v.string(),
      v.object({
        deprecated: v.optional(v.unknown()),
        dist: v.object({
          tarball: v.string(),
          integrity: v.optional(v.string()),
          attestations: v.optional(v.object({ url: v.string() })),
        }),
      }),
    ),
    {},
  ),
});

type Version = { tarball: string; integrity: string; attestations?: string };

export function parsePackument(
  bytes: Uint8Array,
  { name, what, from }: { name: string; what: string; from: string },
): { tags: Readonly<Record<string, string>>; versions: Readonly<Record<string, Version>> } {
  const answer = parseAnswer(bytes, {
    ...{ from, of: ['name', 'versions'], kind: 'package' },
    refuse: (why) => fault(what, why),
  });
  const parsed = v.safeParse(packument, answer, { abortEarly: true });
  if (!parsed.success) {
    const key = v.getDotPath(parsed.issues[0]) ?? '';
    throw fault(what, `${from} answered with a wrong ${quoteText(key, 80)}`);
  }
  const told = parsed.output.name ?? name;
  if (told !== name) {
    throw fault(what, `${from} answered with the package "${escapeLine(told).slice(0, 80)}"`);
  }
  const versions = Object.entries(parsed.output.versions)
    .filter(([version]) => valid(version) === version.split('+')[0])
    .map(([version, { dist }]) => [
      version,
      {
        tarball: dist.tarball,
        integrity: dist.integrity ?? '',
        ...(dist.attestations === undefined ? {} : { attestations: dist.attestations.url }),
      },
    ]);
  return { tags: parsed.output['dist-tags'], versions: Object.fromEntries(versions) };
}

const entry = v.object({
  plugin: v.pipe(v.string(), v.maxLength(300)),
  sha256: v.optional(v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))),
});

/** `"cuervo"` of a package.json; a package without it may still hold a plugin. */
export function parsePluginEntry(
  bytes: Uint8Array | undefined,
  what: string,
): { plugin?: string; sha256?: string } {
  if (bytes === undefined) return {};
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    throw unreadable(what, 'its package.json is not JSON');
  }
  const found = (value as { cuervo?: unknown } | null)?.cuervo;
  if (found === undefined) return {};
  const parsed = v.safeParse(entry, found, { abortEarly: true });
  if (!parsed.success) throw unreadable(what, '"cuervo" of its package.json is wrong');
  const { plugin, sha256 } = parsed.output;
  const path = plugin.replace(/^\.\//, '');
  return { plugin: path, ...(sha256 === undefined ? {} : { sha256 }) };
}

const attestations = v.object({
  attestations: v.pipe(
    v.array(v.object({ predicateType: v.string(), bundle: v.record(v.string(), v.unknown()) })),
    v.maxLength(20),
  ),
});

/** The bundles that prove the builder. npm's own attestation of the upload does not. */
export function parseAttestations(bytes: Uint8Array, what: string, from: string): unknown[] {
  const answer = parseAnswer(bytes, {
    ...{ from, of: ['attestations'], kind: 'list of attestations' },
    refuse: (why) => fault(what, why),
  });
  const parsed = v.safeParse(attestations, answer, { abortEarly: true });
  if (!parsed.success) throw fault(what, `${from} answered with a wrong list of attestations`);
  return parsed.output.attestations
    .filter(({ predicateType }) => predicateType.startsWith('https://slsa.dev/provenance/'))
    .map(({ bundle }) => bundle);
}

const searched = v.object({
  objects: v.array(
    v.object({
      package: v.object({
        name: v.string(),
        version: v.optional(v.string()),
        'dist-tags': v.optional(v.object({ latest: v.optional(v.string()) })),
        description: v.optional(v.nullable(v.string()), ''),
        license: v.optional(v.unknown()),
        links: v.optional(v.object({ homepage: v.optional(v.nullable(v.string())) })),
        keywords: v.optional(v.nullable(v.union([v.array(v.string()), v.string()]))),
      }),
    }),
  ),
});

export type FoundPackage = { name: string; version: string; description: string };

export function parseSearch(bytes: Uint8Array, what: string, from: string): FoundPackage[] {
  const answer = parseAnswer(bytes, {
    ...{ from, of: ['objects'], kind: 'list of packages' },
    refuse: (why) => fault(what, why),
  });
  const parsed = v.safeParse(searched, answer, { abortEarly: true });
  if (!parsed.success) throw fault(what, `${from} answered with a wrong list of packages`);
  return parsed.output.objects
    .filter(({ package: { keywords } }) => [keywords ?? []].flat().includes('cuervo-plugin'))
    .map(({ package: { name, version, 'dist-tags': tags, description } }) => {
      return { name, version: version ?? tags?.latest ?? '', description: description ?? '' };
    });
}

/** What a registry was asked for, to name it in errors about a wrong answer. */
type Wanted = {
  from: string;
  /** a right answer has at least one of these fields */
  of: readonly string[];
  /** "package" */
  kind: string;
  /** @param why begins with `from` */
  refuse(why: string): KernelError;
};

/**
 * @returns the object in the answer; its fields are not checked yet
 * @throws {KernelError} `wanted.refuse` for another answer, such as a login page
 */
export function parseAnswer(bytes: Uint8Array, wanted: Wanted): object {
  const { from, of, kind, refuse } = wanted;
  const text = Buffer.from(bytes).toString('utf8').trim();
  if (text === '') throw refuse(`${from} answered with nothing`);
  if (/^<(?:!doctype|html|\?xml)/i.test(text)) throw refuse(`${from} answered with a web page`);
  const other = (why: string): KernelError =>
    refuse(`${from} answered with ${shownAnswer(text)}, which is ${why}`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw other('no JSON');
  }
  if (
    typeof value === 'object' &&
    value !== null &&
    of.some((field) => Object.hasOwn(value, field))
  )
    return value;
  throw other(`no ${kind}`);
}

/** The beginning of an answer; a text of JSON has its quotes. */
function shownAnswer(text: string): string {
  const shown = escapeLine(text.slice(0, maxShown));
  return text.length > maxShown ? `${shown}…` : shown;
}

const maxShown = 80;

function unreadable(what: string, why: string): KernelError {
  return new KernelError('plugin-fault', `${what} is refused: ${why}`, {
    hint: 'Its author publishes plugins with: cuervo plugin publish',
  });
}

export function fault(what: string, why: string): KernelError {
  return new KernelError('plugin-fault', `${what}: ${why}`, {
    hint: 'Check the address of the registry; a proxy or a login page may answer in its place.',
  });
}

const text = (max: number) => v.pipe(v.string(), v.maxLength(max));

const index = v.object({
  cuervoIndex: v.literal(1),
  plugins: v.optional(
    v.pipe(
      v.array(
        v.object({
          name: text(64),
          source: text(500),
          version: v.exactOptional(text(64)),
          description: v.optional(text(500), ''),
          licence: v.exactOptional(text(100)),
          homepage: v.exactOptional(text(500)),
        }),
      ),
      v.maxLength(100_000),
    ),
    [],
  ),
  bad: v.optional(
    v.pipe(
      v.array(v.object({ sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)), why: text(500) })),
      v.maxLength(100_000),
    ),
    [],
  ),
});

/** A list of plugins that anybody can put on a server: what there is, and which binaries are bad. */
export type PluginIndex = v.InferOutput<typeof index>;

/** @throws {KernelError} `plugin-fault` naming the field */
export function parsePluginIndex(bytes: Uint8Array, from: string): PluginIndex {
  const answer = parseAnswer(bytes, {
    ...{ from, of: ['cuervoIndex'], kind: 'index' },
    refuse: wrong,
  });
  const parsed = v.safeParse(index, answer, { abortEarly: true });
  if (parsed.success) return parsed.output;
  throw wrong(`${from} has a wrong ${quoteText(v.getDotPath(parsed.issues[0]) ?? '', 80)}`);
}

function wrong(why: string): KernelError {
  return new KernelError('plugin-fault', `the index ${why}`, {
    hint: 'Tell the person who hosts it, or take it out of plugins.indexes in config.toml.',
  });
}
