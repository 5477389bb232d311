import { KernelError } from '../../contracts/error.ts';
import { isSameIdentity, nobody, type PluginIdentity } from '../../contracts/plugins.ts';
import type { PluginRecord } from '../../host/install/plugin-record.ts';
import { shellWord } from '../../lib/text/escape.ts';
import { escapeText } from '../../lib/text/printable.ts';
import { freeDataName, type Publisher } from './parse-publishers.ts';
/** Any source: the person named a publisher without a source. */
export const anySource = '*';

/** Which plugins may be installed: any, only those of pinned publishers, or only signed ones. */
export type Require = 'any' | 'pinned' | 'signed';

export type Candidate = {
  name: string;
  sha256: string;
  /** as shown to a person */
  source: string;
  base: string;
  /** proven; several where several people signed */
  identities: readonly PluginIdentity[];
};

export type Known = {
  /** the installed plugin of this name */
  old: Pick<PluginRecord, 'name' | 'sha256' | 'source' | 'base' | 'identity' | 'data'> | undefined;
  publishers: readonly Publisher[];
  /** of people that the person trusts */
  keys: readonly string[];
  require: Require;
  /** the person let it replace a plugin of another source */
  replace: boolean;
  /** and take over that plugin's data */
  keepData: boolean;
};

/** The accepted publisher of a plugin, and notes for the person. */
export type Accepted = {
  identity: PluginIdentity | undefined;
  publisher: Omit<Publisher, 'pinned'>;
  /** one sentence a line, safe to print */
  told: string[];
};

/**
 * Decides whether a plugin may use its name: the first install pins the name's signer and source.
 *
 * @throws {KernelError} `permission-denied` naming both, if the name is another publisher's
 */
export function judgePublisher(candidate: Candidate, known: Known): Accepted {
  const { name, sha256, base } = candidate;
  const { old, publishers } = known;
  const pin = publishers.find(({ pinned }) => pinned);
  const identity = chosenIdentity(candidate.identities, pin);
  requireVouched(candidate, identity, known);
  const isSigned = pin !== undefined && pin.identity !== nobody;
  const isSameBinary = old?.sha256 === sha256;
  const isSameSource = base === (pin?.source ?? old?.base ?? old?.source);
  const isPinned =
    pin !== undefined &&
    isOf(identity, pin) &&
    (isSigned || isSameBinary || isSameSource || pin.source === anySource);
  const told: string[] = [];
  if (!isPinned) {
    if (isSigned && known.require !== 'any') throw otherPublisher(candidate, identity, pin);
    if (isSigned) told.push(`It was by ${pin.identity} before.`);
    const isSecond = old !== undefined && !isSameSource && !isSameBinary;
    if (isSecond && !known.replace) throw secondOfName(candidate, old);
  }
  if (old === undefined && isPinned && !isSameSource && pin.source !== anySource) {
    told.push(`It comes from ${escapeText(base)}; before from ${escapeText(pin.source)}.`);
  }
  const isSameLine = !isSigned && (isSameSource || isSameBinary);
  const data = isPinned ? pin.data : dataOf(candidate, known, { identity, isSameLine });
  if (old !== undefined && data !== (old.data ?? old.name)) {
    told.push(
      'Its kv and memory start empty: the present data belongs to the earlier publisher. --keep-data hands it over.',
    );
  }
  const before = publishers.find((each) => each.data === data)?.digests ?? [];
  const digests = identity === undefined ? [...new Set([...before, sha256])] : [];
  const { repositoryId } = identity ?? {};
  return {
    identity,
    told,
    publisher: {
      plugin: name,
      identity: identity?.text ?? nobody,
      ...(repositoryId === undefined ? {} : { repositoryId }),
      source: base,
      data,
      digests,
    },
  };
}

/** The pinned identity if it signed, else the first one. */
function chosenIdentity(
  identities: readonly PluginIdentity[],
  pin: Publisher | undefined,
): PluginIdentity | undefined {
  return identities.find((each) => pin !== undefined && isOf(each, pin)) ?? identities[0];
}

function isOf(
  identity: PluginIdentity | undefined,
  { identity: text, repositoryId }: Publisher,
): boolean {
  if (identity === undefined || text === nobody) return identity === undefined && text === nobody;
  const pinned = { text, ...(repositoryId === undefined ? {} : { repositoryId }) };
  return isSameIdentity(identity, pinned);
}

function dataOf(
  { name, sha256 }: Candidate,
  { old, publishers, keepData }: Known,
  { identity, isSameLine }: { identity: PluginIdentity | undefined; isSameLine: boolean },
): string {
  const oldData = old === undefined ? undefined : (old.data ?? old.name);
  if (oldData !== undefined && (isSameLine || keepData)) return oldData;
  const own = publishers.find((each) =>
    identity === undefined ? each.digests.includes(sha256) : isOf(identity, each),
  );
  if (own !== undefined) return own.data;
  const taken = publishers.map(({ data }) => data);
  return freeDataName(name, oldData === undefined ? taken : [...taken, oldData]);
}

function requireVouched(
  { name, source }: Candidate,
  identity: PluginIdentity | undefined,
  { require, keys }: Known,
): void {
  if (require !== 'signed') return;
  if (identity === undefined) {
    throw new KernelError(
      'permission-denied',
      `${name} of ${escapeText(source)} is not signed, and your configuration requires it: plugins.require is "signed"`,
      {
        hint: 'Look for a signed version, or lower it in config.toml: [plugins] require = "pinned"',
      },
    );
  }
  if (identity.kind === 'key' && !keys.includes(identity.text)) {
    throw new KernelError(
      'permission-denied',
      `${name} is signed with the key ${identity.text}, which you do not trust, and plugins.require is "signed"`,
      {
        hint: `If it is its author's: cuervo plugin trust ${identity.text}`,
      },
    );
  }
}

function otherPublisher(
  { name, source }: Candidate,
  identity: PluginIdentity | undefined,
  pin: Publisher,
): KernelError {
  const number =
    identity?.text === pin.identity
      ? `, of another repository of that name (number ${identity.repositoryId}, before ${pin.repositoryId})`
      : '';
  const now =
    identity === undefined ? 'this one is not signed' : `this one is by ${identity.text}${number}`;
  const message = `${name} was by ${pin.identity} from ${escapeText(pin.source)}; ${now}, from ${escapeText(source)}`;
  return new KernelError('permission-denied', message, {
    hint: `Ask its author why. To take it from now on: cuervo plugin trust ${name} ${shellWord(identity?.text ?? nobody)}; beside it: --as my-${name}`,
  });
}

function secondOfName({ name, source }: Candidate, old: NonNullable<Known['old']>): KernelError {
  const message = `there is a plugin "${name}" already, from ${escapeText(old.source)}; this one is from ${escapeText(source)}`;
  return new KernelError('conflict', message, {
    hint: `Install it beside that one with --as my-${name}, or in its place with --replace.`,
  });
}
