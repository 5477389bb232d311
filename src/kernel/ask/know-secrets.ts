import type { StepResult } from '../../contracts/plan.ts';
import type { JsonObject } from '../../contracts/tool.ts';
import { secretsOf } from '../../guard/scan-text.ts';
import { stringsOf } from '../../guard/strings-of.ts';
import type { RepliesOptions } from './talk-options.ts';

/**
 * Tells the guard what it has to find again before a remote model is sent anything: the secrets of
 * the workspace's files, and those of all that tools said, also of what is cut off.
 */
export function createKnowSecrets(
  options: Pick<RepliesOptions, 'model' | 'guard' | 'ports' | 'progress'>,
): () => Promise<void> {
  const { model, guard, ports, progress } = options;
  const known = new Set<StepResult>();
  return async () => {
    if (!model.remote) return;
    const fresh = progress.results.filter((result) => !known.has(result));
    for (const result of fresh) known.add(result);
    const named = fresh.flatMap(({ hostCalls, input }) => [
      ...hostCalls.map(({ target }) => target.replace(/^work:/, '')),
      // Only the command line says what a program reads.
      ...stringsOf(input as JsonObject).flatMap((text) => text.split(/[\s"'=<>|;&]+/)),
    ]);
    guard.know(await ports.heldSecrets([...new Set([...ports.changedPaths(), ...named])]));
    const said = fresh.map(({ output, error }) => output?.content ?? error?.message ?? '');
    guard.know(said.flatMap(secretsOf));
  };
}
