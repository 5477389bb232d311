import type { ContentGate, ProtectedEntries } from '../../contracts/content-gate.ts';
import { ServiceError } from '../../contracts/host-service.ts';
import { once } from '../../lib/memo.ts';
import { entriesBelow } from './entries-below.ts';
import { findWithheld } from './find-withheld.ts';
import type { GitPlace } from './git-place.ts';
import { subcommandAt } from './harden-git.ts';
import { changeOfWithheld, leaveOutWithheld } from './leave-out-withheld.ts';
import { findStored } from './read-as-files.ts';
import { withheldAttributes } from './withheld-attributes.ts';
import { withheldPathspecs } from './withheld-pathspecs.ts';

/** Keeps from a git what is withheld, in a repository that may lie inside of a root. */
export type ContentWithholder = {
  /** attributes for differences and searches */
  attributes(place: GitPlace | undefined): string;
  /** arguments that leave withheld files out of searches */
  leaveOut(args: readonly string[], place: GitPlace): string[];
  /** of `changeOfWithheld` */
  changed(args: readonly string[], place: GitPlace): string[] | undefined;
};

export function createContentWithholder(protectedPaths: ProtectedEntries): ContentWithholder {
  const everywhere = once(() => withheldAttributes(protectedPaths));
  const entriesAt = ({ root, top, main }: GitPlace): string[] => {
    const below = [top, main].flatMap((each) => entriesBelow(protectedPaths[root] ?? [], each));
    return [...new Set(below)];
  };
  const pathspecs = (place: GitPlace) => () => withheldPathspecs(entriesAt(place));
  return {
    attributes: (place) =>
      place === undefined || place.top.length === 0
        ? everywhere()
        : withheldAttributes({ [place.root]: entriesAt(place) }),
    leaveOut: (args, place) => leaveOutWithheld(args, pathspecs(place)),
    changed: (args, place) => changeOfWithheld(args, pathspecs(place)),
  };
}

/**
 * @param folder absolute, of the root
 * @throws {ServiceError} `denied` for content that the gate does not show, or that has no path
 */
export async function refuseWithheld(
  args: readonly string[],
  place: GitPlace,
  folder: string,
  gate: ContentGate,
  run: (args: readonly string[], stdin: string) => Promise<{ stdout: string }>,
): Promise<void> {
  const stored = findStored(args, folder, place);
  if (stored !== undefined) {
    const text = `git would read "${stored}" as a file, and it holds content of others`;
    throw new ServiceError('denied', text, '', 'Name a commit and a path in it.');
  }
  const before = args.slice(0, subcommandAt(args));
  const ask = [...before, '--no-pager', 'cat-file', '--batch-check=%(objectname) %(objecttype)'];
  const found = await findWithheld(args, place, gate, async (names) => {
    const { stdout } = await run(ask, names.map((name) => `${name}\n`).join(''));
    return stdout.split('\n');
  });
  if (found !== undefined) throw new ServiceError('denied', found.text, '', found.hint);
}
