import type { MemoryRow } from '../../contracts/memory.ts';
import type { AskPorts } from './ask-ports.ts';

/** Sessions that are looked at: what was spoken of longer ago is not "it" any more. */
const lookedAt = 2;

/**
 * The fact that was said or shown last in this workspace, by the run before this one.
 *
 * @param facts those that hold
 */
export function spokenOf(
  facts: readonly MemoryRow[],
  { store, config, session, scope }: AskPorts,
): MemoryRow | undefined {
  const sessions = store.sessions({ project: config.workspace, limit: lookedAt });
  const before = sessions.flatMap(({ id }) => store.messages(id));
  const last = before
    .filter(({ run, session: of }) => run !== scope.id && (of !== session.id || run !== scope.id))
    .sort((one, other) => other.ts - one.ts)[0];
  if (last === undefined) return undefined;
  const said = facts.find(({ record }) => record.run === last.run);
  if (said !== undefined) return said;
  const byId = new Map(facts.map((row) => [row.id, row]));
  const [shown] = store.memoryUses.recalledBy(last.run).flatMap(({ id }) => byId.get(id) ?? []);
  return shown;
}
