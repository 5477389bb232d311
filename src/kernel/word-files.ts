import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../config/load-config.ts';
import { KernelError } from '../contracts/error.ts';
import { protectedNamesText } from '../contracts/protected-names.ts';
import type { KnownWords } from '../host/tally-help.ts';
import { type PlacedFile, updateWordFile } from '../host/words/update-word-file.ts';
import type { Clock } from '../lib/clock.ts';
import { sha256 } from '../lib/sha256.ts';
import { protectedBelow } from './roots.ts';
import { toKernelError } from './to-kernel-error.ts';

/**
 * The counts of the words in the files of a workspace, made by `cuervo index` beside its pieces: a
 * search for passages is answered from them where files are as they were.
 */
export type WordFiles = KnownWords & {
  /**
   * Brings them up to the files.
   *
   * @param files by their paths in the workspace, none of them protected
   * @throws {KernelError} `resource-exhausted` when the disk is full, `unavailable` when they cannot
   *   be written for another reason
   */
  update(files: readonly PlacedFile[], options: { signal: AbortSignal }): Promise<void>;
  /** Takes them away; the next update makes them anew. */
  remove(): void;
};

type Settings = Pick<Config, 'home' | 'workspace' | 'protection'>;

/** Of a digest, in the name of a file. */
const nameCharacters = 32;

export function createWordFiles({ config, clock }: { config: Settings; clock: Clock }): WordFiles {
  const paths = new Map<string, string>();
  const pathOf = (folder: string): string => {
    const known = paths.get(folder);
    if (known !== undefined) return known;
    const path = join(config.home, 'words', `${sha256(folder).slice(0, nameCharacters)}.words`);
    paths.set(folder, path);
    return path;
  };
  // Whatever else is withheld by now, a file that was written before says nothing at all.
  const rules = sha256(JSON.stringify([protectedNamesText, protectedBelow(config)]));
  return {
    rules,
    fileOf: (folder) => {
      const path = pathOf(folder);
      return existsSync(path) ? path : undefined;
    },
    update: async (files, { signal }) => {
      const path = pathOf(config.workspace);
      try {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        const changes = { folder: config.workspace, files, rules, nowMs: () => clock.nowMs() };
        await updateWordFile(path, changes, { signal });
      } catch (thrown) {
        signal.throwIfAborted();
        const { code = 'unknown error' } = thrown as NodeJS.ErrnoException;
        const message = `the counts of words cannot be written to ${path}: ${code}`;
        const isFull = toKernelError(thrown).code === 'resource-exhausted';
        throw new KernelError(isFull ? 'resource-exhausted' : 'unavailable', message, {
          cause: thrown,
          hint: 'Make room there, or let cuervo write there, then: cuervo index',
        });
      }
    },
    remove: () => rmSync(pathOf(config.workspace), { force: true }),
  };
}
