import { join } from 'node:path';
import { stringify } from 'smol-toml';
import * as v from 'valibot';
import { KernelError } from '../../contracts/error.ts';
import { nobody } from '../../contracts/plugins.ts';
import { changeAlone } from '../../lib/files/lock-file.ts';
import { readTextIfPresent } from '../../lib/files/read-file.ts';
import { writeFileWhole } from '../../lib/files/write-file-whole.ts';
import { rememberLast } from '../../lib/memo.ts';
import { parseToml } from '../../policy/parse-toml.ts';

/** The accepted publisher of a plugin, and the owner of its data. */
export type Publisher = {
  plugin: string;
  /** the text of an identity, or `nobody` for unsigned plugins */
  identity: string;
  /** of the repository, where the identity tells it */
  repositoryId?: string;
  /** the source without its version */
  source: string;
  /** name under which `kv` and memory keep what it wrote */
  data: string;
  /** digests of unsigned binaries that a person took as one plugin */
  digests: readonly string[];
  /** true: other publishers of this plugin are refused */
  pinned: boolean;
};

export type PublishersFile = { publishers: readonly Publisher[]; keys: readonly string[] };

const word = v.pipe(v.string(), v.regex(/^[\x21-\x7e]+$/, 'is not one word of printable letters'));
const schema = v.strictObject({
  publisher: v.exactOptional(
    v.array(
      v.strictObject({
        plugin: v.pipe(
          v.string(),
          v.regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, 'is no name of a plugin'),
        ),
        identity: word,
        'repository-id': v.exactOptional(word),
        source: v.pipe(v.string(), v.minLength(1)),
        data: word,
        digests: v.exactOptional(
          v.array(v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'is no SHA-256'))),
        ),
        pinned: v.boolean(),
      }),
    ),
  ),
  keys: v.exactOptional(
    v.array(v.pipe(v.string(), v.regex(/^ed25519:[A-Za-z0-9_-]{43}$/, 'is no key'))),
  ),
});

/** @throws {KernelError} `invalid-argument` naming the line or the field: who vouches is not guessed */
function parsePublishers(text: string, path: string): PublishersFile {
  const refuse = (what: string): KernelError =>
    new KernelError('invalid-argument', `${path} ${what}`, { hint: `Correct ${path}.` });
  const parsed = v.safeParse(schema, parseToml(text, refuse), { abortEarly: true });
  if (!parsed.success) {
    const [issue] = parsed.issues;
    throw refuse(`has a wrong "${v.getDotPath(issue) ?? '(all)'}": ${issue.message}`);
  }
  const { publisher = [], keys = [] } = parsed.output;
  const publishers = publisher.map(({ 'repository-id': repositoryId, digests = [], ...rest }) => ({
    ...rest,
    digests,
    ...(repositoryId === undefined ? {} : { repositoryId }),
  }));
  return { publishers, keys };
}

const head = `# Who vouches for each plugin, as you accepted it. Change it with: cuervo plugin trust
# "data" names what kv and memory keep for it.

`;

function formatPublishers({ publishers, keys }: PublishersFile): string {
  const publisher = publishers.map(({ repositoryId, digests, ...rest }) => ({
    ...rest,
    ...(repositoryId === undefined ? {} : { 'repository-id': repositoryId }),
    ...(digests.length === 0 ? {} : { digests: [...digests] }),
  }));
  return head + stringify({ ...(keys.length === 0 ? {} : { keys: [...keys] }), publisher });
}

/** `publishers.toml`: who a person takes each plugin from; read at every use. */
export type Publishers = {
  of(plugin: string): Publisher[];
  /** The publisher that is pinned for a plugin now. */
  pinned(plugin: string): Publisher | undefined;
  keys(): readonly string[];
  /** Makes this publisher the only one for its plugin. */
  pin(publisher: Omit<Publisher, 'pinned'>): void;
  /** Ends the pin of an unsigned plugin that is removed; the entry keeps the name of its data. */
  unpin(plugin: string): void;
  addKey(key: string): void;
};

export function openPublishers(home: string): Publishers {
  const path = join(home, 'publishers.toml');
  const parse = rememberLast((text) => parsePublishers(text, path));
  const read = (): PublishersFile => {
    const text = readTextIfPresent(path);
    return text === undefined ? { publishers: [], keys: [] } : parse(text);
  };
  /** Locks and writes the file only if something changed. */
  const change = (edit: (file: PublishersFile) => PublishersFile): void => {
    const changed = (): string | undefined => {
      const now = read();
      const text = formatPublishers(edit(now));
      return text === formatPublishers(now) ? undefined : text;
    };
    if (changed() === undefined) return;
    changeAlone(path, () => {
      const text = changed();
      if (text !== undefined) writeFileWhole(path, text, { mode: 0o600 });
    });
  };
  const of = (plugin: string): Publisher[] =>
    read().publishers.filter((each) => each.plugin === plugin);
  return {
    of,
    pinned: (plugin) => of(plugin).find(({ pinned }) => pinned),
    keys: () => read().keys,
    pin: (publisher) =>
      change(({ publishers, keys }) => {
        const others = publishers
          .filter((each) => each.plugin !== publisher.plugin || each.data !== publisher.data)
          .map((each) => (each.plugin === publisher.plugin ? { ...each, pinned: false } : each));
        const all = [...others, { ...publisher, pinned: true }];
        return { keys, publishers: all.toSorted((a, b) => (a.plugin < b.plugin ? -1 : 1)) };
      }),
    unpin: (plugin) => {
      if (!of(plugin).some(({ pinned, identity }) => pinned && identity === nobody)) return;
      change(({ publishers, keys }) => ({
        keys,
        publishers: publishers.map((each) =>
          each.plugin === plugin && each.identity === nobody ? { ...each, pinned: false } : each,
        ),
      }));
    },
    addKey: (key) =>
      change(({ publishers, keys }) => ({ publishers, keys: [...new Set([...keys, key])] })),
  };
}

/** The first data name that no publisher of a plugin uses. */
export function freeDataName(plugin: string, taken: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? plugin : `${plugin}~${number}`;
    if (!taken.includes(name)) return name;
  }
}
