import type { Grant, Manifest } from '../contracts/capability.ts';

/**
 * What an instance may do: requested in the manifest and covered by a grant. Nothing else, but
 * `log`, which needs no grant.
 *
 * @param grants those that hold for this plugin now
 * @returns each grant once, in the order of the manifest's wants
 */
export function resolveCapabilities(
  manifest: Pick<Manifest, 'wants'>,
  grants: readonly Grant[],
): readonly Grant[] {
  const held = manifest.wants.flatMap(({ capability }): Grant[] =>
    capability === 'log'
      ? [{ capability }]
      : grants.filter((grant) => grant.capability === capability),
  );
  return held.filter(
    (grant, index) =>
      held.findIndex(
        (other) => other.capability === grant.capability && other.detail === grant.detail,
      ) === index,
  );
}
