import type { OwnProgramFacts } from '../../contracts/authority.ts';
import type { FoundProgram } from '../exec/find-program.ts';

/** The facts about a program that a decision needs. */
export function programFacts({ own, real, around = [], replaceable }: FoundProgram): {
  replaceable?: true;
  own?: OwnProgramFacts;
} {
  if (own === undefined) return replaceable ? { replaceable } : {};
  const { from, sha256, standsIn, below } = own;
  const reads = shownReads(around.flatMap((each) => each.reads));
  return { own: { from, sha256, standsIn, file: below?.path ?? real, reads } };
}

/** The folder above stands for what of an installation is shown. */
export function shownReads(paths: readonly string[]): string[] {
  const prefixes = paths.map((path) =>
    path.replace(
      /\/(?:bin|lib|lib32|lib64|libexec|include|share|pkg|src|go\.env|VERSION|pyvenv\.cfg)$/,
      '',
    ),
  );
  return [...new Set(prefixes)];
}
