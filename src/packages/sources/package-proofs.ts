import type { Proof } from './fetch-plugin.ts';
import { parseProofFile, proofSuffixes } from './parse-proof-file.ts';

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
