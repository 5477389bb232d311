import type { MemoryRow } from '../../contracts/memory.ts';
import type { AskPorts } from './ask-ports.ts';

/** Sessions that are looked at: what was mentioned longer ago is not "it" any more. */
const lookedAt = 2;

/**
 * The facts that the run before this one in this workspace kept, or else showed, best first.
 *
 * @param facts those that hold
 */
export function lastMentioned(
  facts: readonly MemoryRow[],
  { store, config, session, scope }: AskPorts,
): MemoryRow[] {
  const sessions = store.sessions({ project: config.workspace, limit: lookedAt });
  const before = sessions.flatMap(({ id }) => store.messages(id));
  const last = before
    .filter(({ run, session: of }) => run !== scope.id && (of !== session.id || run !== scope.id))
    .sort((one, other) => other.ts - one.ts)[0];
  if (last === undefined) return [];
  const said = facts.filter(({ record }) => record.run === last.run);
  if (said.length > 0) return said;
  const byId = new Map(facts.map((row) => [row.id, row]));
  return store.memoryUses.recalledBy(last.run).flatMap(({ id }) => byId.get(id) ?? []);
}
