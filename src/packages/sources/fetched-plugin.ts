/** A signature as it came along, nobody has looked at it; see `signatures/`. */
export type CarriedProof =
  | { kind: 'sigstore'; bundle: unknown }
  | { kind: 'key'; key: string; signature: string };

/** One proof, and which bytes it has to be about. */
export type Proof = { proof: CarriedProof; about: 'wasm' | 'carrier' };

/** What a `.wasm` came in and is named by: who signs the one, signs the other. */
export type Carrier = { kind: 'npm' | 'oci'; bytes: Buffer };

/** A plugin that was brought here and that nothing of has run. */
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
  /** looked for signatures and could not tell; one sentence each */
  notes: string[];
};
