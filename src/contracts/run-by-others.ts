import { compilePattern } from '../lib/files/path-pattern.ts';
import type { ProtectedEntries } from './content-gate.ts';
import { foldPath, runnerOf } from './protected-names.ts';

/** The runner of the file at a path, as `runnerOf`; undefined when nothing runs it by itself. */
export type RunnerCheck = (relativePath: string, root: string) => string | undefined;

/**
 * `runnerOf`, less what a person took out of the list.
 *
 * @param entries as `createContentGate` takes them; `:lift PATTERN` counts here, too
 * @param otherwise asked for a path that the list does not name
 */
export function createRunnerCheck(entries: ProtectedEntries, otherwise?: RunnerCheck): RunnerCheck {
  const lifted = new Map(
    Object.entries(entries).map(([root, all]) => [
      root,
      all
        .filter((entry) => entry.startsWith(':lift '))
        .map((entry) => compilePattern(entry.slice(':lift '.length), foldPath)),
    ]),
  );
  return (path, root) => {
    const runner = runnerOf(path) ?? otherwise?.(path, root);
    if (runner === undefined) return undefined;
    const names = foldPath(path).split('/');
    return lifted.get(root)?.some((pattern) => pattern.covers(names)) ? undefined : runner;
  };
}
