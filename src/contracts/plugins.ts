import { KernelError } from './error.ts';

/** The publisher of a plugin, proven by a signature. */
export type PluginIdentity = {
  /**
   * One word without spaces, what is pinned and typed: `github:acme/kit/.github/workflows/x.yml`,
   * `https://accounts.example.org#jo@example.org`, `ed25519:…`. Printable ASCII.
   */
  text: string;
  kind: 'sigstore' | 'key';
  /** who says so: address of the issuer of the identity */
  issuer?: string;
  /** address of the repository that it was built from */
  repository?: string;
  /** the workflow that built it, without its branch or tag */
  workflow?: string;
  /** number of the repository at its issuer: a new owner of the name has another */
  repositoryId?: string;
};

/** Stands for the identity of an unsigned plugin. */
export const nobody = 'nobody' as const;

/** Whether two proofs are of one publisher. */
export function isSameIdentity(
  one: Pick<PluginIdentity, 'text' | 'repositoryId'> | undefined,
  other: Pick<PluginIdentity, 'text' | 'repositoryId'> | undefined,
): boolean {
  if (one === undefined || other === undefined) return one === other;
  const [a, b] = [one.repositoryId, other.repositoryId];
  return one.text === other.text && (a === undefined || b === undefined || a === b);
}

/** @param others what is there instead */
export function unknownPlugin(
  name: string,
  others: readonly { readonly name: string }[],
): KernelError {
  return KernelError.unknownName(`no plugin ${JSON.stringify(name)} is installed`, {
    name,
    names: others.map((other) => other.name),
    hint: 'See what is installed with: cuervo plugin list',
  });
}
