import type { GrantName } from '../contracts/capabilities.ts';
import { matchesTool } from '../contracts/capability.ts';

/** One entry of `capabilities.deny`: `exec` takes all of it away, `exec:git` that one program. */
export type Denial = {
  capability: GrantName;
  detail?: string;
  /** as it stands in the file */
  text: string;
  /** the file, for people */
  source: string;
};

/** The first entry that takes this away: the same capability, and the same detail if it has one. */
export function denialOf(
  what: { capability: string; detail?: string },
  denied: readonly Denial[],
): Denial | undefined {
  return denied.find(
    ({ capability, detail }) =>
      capability === what.capability &&
      (detail === undefined ||
        detail === what.detail ||
        (capability === 'tools' && matchesTool(detail, what.detail))),
  );
}
