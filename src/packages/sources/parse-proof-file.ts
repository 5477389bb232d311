import * as v from 'valibot';
import { KernelError } from '../../contracts/error.ts';
import { escapeLine } from '../../lib/text/escape.ts';
import type { CarriedProof, Proof } from './parse-source.ts';

/** What lies beside a `.wasm` to say who vouches for it; the first three by Sigstore's tools. */
export const proofSuffixes = ['.sigstore.json', '.sigstore', '.bundle', '.sig'] as const;

export const maxProofBytes = 1024 * 1024;

const keySignature = v.object({
  kind: v.literal('cuervo-plugin-signature'),
  version: v.literal(1),
  key: v.pipe(v.string(), v.regex(/^ed25519:[A-Za-z0-9_-]{43}$/)),
  signature: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{86}$/)),
});

/**
 * @param name for messages
 * @throws {KernelError} `plugin-fault`: an unreadable signature must not pass as a missing one
 */
export function parseProofFile(bytes: Uint8Array, name: string): CarriedProof {
  if (bytes.byteLength > maxProofBytes) {
    throw fault(name, `has ${bytes.byteLength} bytes, limit ${maxProofBytes}`);
  }
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    throw fault(name, 'is not JSON');
  }
  if (name.endsWith('.sig')) {
    const parsed = v.safeParse(keySignature, value, { abortEarly: true });
    if (!parsed.success) throw fault(name, 'is not a signature of cuervo plugin sign');
    const { key, signature } = parsed.output;
    return { kind: 'key', key, signature };
  }
  if (value === null || typeof value !== 'object') throw fault(name, 'is not a Sigstore bundle');
  return { kind: 'sigstore', bundle: value };
}

function fault(name: string, why: string): KernelError {
  return new KernelError('plugin-fault', `${escapeLine(name)} ${why}`, {
    hint: 'It belongs beside the plugin and says who vouches for it. Ask its author for a complete one.',
  });
}

/** The proofs that lie beside a `.wasm` in its package: `x.wasm.sig`, `x.wasm.sigstore.json`. */
export function packageProofs(files: ReadonlyMap<string, Buffer>, path: string): Proof[] {
  return proofSuffixes.flatMap((suffix) => {
    const text = files.get(`${path}${suffix}`);
    return text === undefined ? [] : [fileProof(text, `${path}${suffix}`)];
  });
}

/** A proof about the bytes of the `.wasm` itself. */
export function fileProof(text: Uint8Array, name: string): Proof {
  return { proof: parseProofFile(text, name), about: 'wasm' };
}

const statement = v.object({
  _type: v.pipe(v.string(), v.startsWith('https://in-toto.io/Statement/')),
  subject: v.pipe(
    v.array(v.object({ digest: v.record(v.string(), v.string()) })),
    v.minLength(1),
    v.maxLength(1_000),
  ),
});

/** @returns the digests of what a statement is about; undefined for what is not a statement */
export function parseStatement(
  bytes: Uint8Array,
): readonly Readonly<Record<string, string>>[] | undefined {
  try {
    const parsed = v.safeParse(statement, JSON.parse(Buffer.from(bytes).toString('utf8')), {
      abortEarly: true,
    });
    return parsed.success ? parsed.output.subject.map(({ digest }) => digest) : undefined;
  } catch {
    return undefined;
  }
}
