/** A signature as it was fetched, not verified yet; see `signatures/`. */
export type CarriedProof =
  | { kind: 'sigstore'; bundle: unknown }
  | { kind: 'key'; key: string; signature: string };

/** One proof, and which bytes it has to be about. */
export type Proof = { proof: CarriedProof; about: 'wasm' | 'carrier' };

/** The package or manifest that holds the digest of a `.wasm`: a signature on it covers both. */
export type Carrier = { kind: 'npm' | 'oci'; bytes: Buffer };

/** A fetched plugin. No code of it has run. */
export type FetchedPlugin = {
  /** the `.wasm` */
  bytes: Buffer;
  /** as typed, absolute; what `update` asks again */
  source: string;
  /** the source without its version; what is pinned */
  base: string;
  /** exactly this one: `npm:csv-kit@1.2.0`, `oci://…@sha256:…`; the source where there is no such */
  resolved: string;
  /** of the package or the tag; files have none */
  version?: string;
  /** the tarball of a package, the manifest of an artifact */
  carrier?: Carrier;
  proofs: Proof[];
  /** why signatures could not be looked for; one sentence each */
  notes: string[];
};
