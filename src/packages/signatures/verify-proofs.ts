import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { bundleFromJSON } from '@sigstore/bundle';
import { TrustedRoot } from '@sigstore/protobuf-specs';
import { toSignedEntity, toTrustMaterial, VerificationError, Verifier } from '@sigstore/verify';
import { KernelError } from '../../contracts/error.ts';
import type { PluginIdentity } from '../../contracts/plugins.ts';
import { once } from '../../lib/memo.ts';
import { parseStatement } from '../sources/parse-proof-file.ts';
import type { CarriedProof, FetchedPlugin } from '../sources/parse-source.ts';
import { verifyKeySignature } from './key-signature.ts';

/** The result of checking a plugin's proofs. */
export type Verified = {
  /** each once, in the order in which they came */
  identities: PluginIdentity[];
  /** why a proof does not hold; one sentence each */
  broken: string[];
};

/**
 * Verifies proofs without the network.
 *
 * @param roots files that say which certificates and logs are trusted
 */
export function verifyProofs(
  { bytes, carrier, proofs }: Pick<FetchedPlugin, 'bytes' | 'carrier' | 'proofs'>,
  roots: readonly string[],
): Verified {
  const identities = new Map<string, PluginIdentity>();
  const broken: string[] = [];
  const verifiers = once(() => roots.map(readRoot));
  for (const { proof, about } of proofs) {
    // A signer of the binary itself need not know its package.
    const subjects = about === 'wasm' || carrier === undefined ? [bytes] : [carrier.bytes, bytes];
    const found =
      proof.kind === 'key' ? byKey(proof, bytes) : bySigstore(proof, subjects, verifiers());
    if (typeof found === 'string') broken.push(found);
    else identities.set(found.text, found);
  }
  return { identities: [...identities.values()], broken };
}

function byKey(
  proof: Extract<CarriedProof, { kind: 'key' }>,
  subject: Buffer,
): PluginIdentity | string {
  if (!verifyKeySignature(proof, hashOf('sha256', subject))) {
    return `the signature with ${proof.key} is of another file`;
  }
  return { text: proof.key, kind: 'key' };
}

function hashOf(algorithm: 'sha256' | 'sha512', bytes: Buffer): string {
  return createHash(algorithm).update(bytes).digest('hex');
}

function bySigstore(
  proof: Extract<CarriedProof, { kind: 'sigstore' }>,
  subjects: readonly Buffer[],
  verifiers: readonly Verifier[],
): PluginIdentity | string {
  let bundle: ReturnType<typeof bundleFromJSON>;
  try {
    bundle = bundleFromJSON(proof.bundle);
  } catch {
    return 'Sigstore does not make bundles like the one beside it';
  }
  if (bundle.content.$case === 'dsseEnvelope') {
    const { payload, payloadType } = bundle.content.dsseEnvelope;
    const named =
      payloadType === 'application/vnd.in-toto+json' ? parseStatement(payload) : undefined;
    if (named === undefined) return 'the bundle names no file';
    const isAbout = subjects.some((subject) => {
      const digests = { sha256: hashOf('sha256', subject), sha512: hashOf('sha512', subject) };
      return named.some(
        ({ sha256, sha512 }) => sha256 === digests.sha256 || sha512 === digests.sha512,
      );
    });
    if (!isAbout) return 'the bundle is of another file';
  }
  const reasonsFound: string[] = [];
  for (const [verifier, subject] of pairsOf(verifiers, subjects)) {
    try {
      const { identity } = verifier.verify(toSignedEntity(bundle, subject));
      return identityOf(identity ?? {}) ?? 'the bundle does not say whose it is';
    } catch (thrown) {
      reasonsFound.push(reasonOf(thrown));
    }
  }
  // "Unknown issuer" is the least telling reason: prefer another root's.
  const telling = reasonsFound.find((why) => !why.includes(String(reasons.CERTIFICATE_ERROR)));
  return telling ?? reasonsFound[0] ?? 'no root is trusted';
}

function pairsOf(
  verifiers: readonly Verifier[],
  subjects: readonly Buffer[],
): [Verifier, Buffer][] {
  return verifiers.flatMap((verifier) =>
    subjects.map((subject): [Verifier, Buffer] => [verifier, subject]),
  );
}

const reasons: Readonly<Record<string, string>> = {
  CERTIFICATE_ERROR:
    'its certificate is not of a trusted authority, or had expired when it was signed',
  PUBLIC_KEY_ERROR: 'it is signed with an unknown key; cuervo plugin sign makes keys that can be',
  SIGNATURE_ERROR: 'its signature is of another file',
  TIMESTAMP_ERROR: 'no trusted clock says when it was signed',
  TLOG_ERROR: 'no trusted log holds it',
  TLOG_BODY_ERROR: 'the log holds another signature',
  TLOG_INCLUSION_PROOF_ERROR: 'the log that should hold it is not known or does not',
  TLOG_INCLUSION_PROMISE_ERROR: 'the log that should hold it is not known or does not',
  TLOG_MISSING_INCLUSION_ERROR: 'no trusted log holds it',
};

function reasonOf(thrown: unknown): string {
  const code = thrown instanceof VerificationError ? thrown.code : undefined;
  return `the bundle does not hold: ${(code && reasons[code]) ?? 'it cannot be read'}`;
}

function readRoot(path: string): Verifier {
  return checkRoot(readFileSync(path, 'utf8'), path);
}

/** @throws {KernelError} `invalid-argument` for what is not a trusted root */
export function checkRoot(text: string, path: string): Verifier {
  try {
    const root = TrustedRoot.fromJSON(JSON.parse(text));
    if (root.certificateAuthorities.length + root.tlogs.length === 0)
      throw new Error('it is empty');
    return new Verifier(toTrustMaterial(root));
  } catch (thrown) {
    throw new KernelError('invalid-argument', `${path} is not a trusted root of Sigstore`, {
      cause: thrown,
      hint: `Remove ${path}, or bring a new one with: cuervo plugin trust --renew-root`,
    });
  }
}

/** Extensions of Fulcio's certificates: https://github.com/sigstore/fulcio/blob/main/docs/oid-info.md */
const fulcio = '1.3.6.1.4.1.57264.1.';
const oids = { issuer: '8', repository: '12', repositoryId: '15' } as const;

const githubIssuer = 'https://token.actions.githubusercontent.com';

type Certified = {
  subjectAlternativeName?: string;
  extensions?: { issuer?: string };
  oids?: readonly { oid?: { id: readonly number[] } | undefined; value: Uint8Array }[];
};

/** @returns undefined for a certificate without an identity */
export function identityOf({
  subjectAlternativeName: subject,
  extensions,
  oids: values = [],
}: Certified): PluginIdentity | undefined {
  const read = (name: keyof typeof oids): string | undefined => {
    const found = values.find(({ oid }) => oid?.id.join('.') === `${fulcio}${oids[name]}`);
    return found === undefined ? undefined : textOf(found.value);
  };
  const issuer = read('issuer') ?? extensions?.issuer;
  if (subject === undefined || subject === '' || issuer === undefined) return undefined;
  const repository = read('repository');
  const repositoryId = read('repositoryId');
  // Leave out the branch or tag, which differs from release to release.
  const workflow = subject.replace(/@refs\/[^@]*$/, '');
  const isBuild = workflow !== subject || repository !== undefined;
  return {
    text: textFor(issuer, workflow, repository),
    kind: 'sigstore',
    issuer: visible(issuer),
    ...(repository === undefined ? {} : { repository: visible(repository) }),
    ...(isBuild ? { workflow: visible(workflow) } : {}),
    ...(repositoryId === undefined ? {} : { repositoryId: visible(repositoryId) }),
  };
}

/** If the repository called another one's workflow, that workflow follows after a `+`. */
function textFor(issuer: string, workflow: string, repository: string | undefined): string {
  const github = 'https://github.com/';
  const isGithub = issuer === githubIssuer && workflow.startsWith(github);
  if (!isGithub) return `${visible(issuer)}#${visible(workflow)}`;
  const path = workflow.slice(github.length);
  const from = repository?.startsWith(github) ? repository.slice(github.length) : undefined;
  if (from === undefined || path.startsWith(`${from}/`)) return `github:${visible(path)}`;
  return `github:${visible(from)}+${visible(path)}`;
}

/** Look-alike letters and what nobody sees show as what they are. */
function visible(text: string): string {
  return text.replace(/[^\x21-\x7e]/gu, (character) =>
    encodeURIComponent(character.isWellFormed() ? character : '\ufffd'),
  );
}

/** The newer extensions are DER strings: a tag, a length, the text. */
function textOf(value: Uint8Array): string {
  const bytes = Buffer.from(value);
  const [tag, length = 0] = bytes;
  if (tag !== 0x0c) return bytes.toString('utf8');
  const skipped = length < 0x80 ? 2 : 2 + (length & 0x7f);
  return bytes.subarray(skipped).toString('utf8');
}
