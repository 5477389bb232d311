import type { Store } from '../contracts/store.ts';
import type { Database } from './open-database.ts';

/** Runs by how their id begins, and the steps of one binary. */
export function findRuns(database: Database): Pick<Store, 'runsNamed' | 'stepsOf'> {
  return {
    runsNamed: (prefix) =>
      database
        .all<{ id: string }>(
          'SELECT id FROM runs WHERE substr(id, 1, ?) = ? ORDER BY id LIMIT 2',
          prefix.length,
          prefix,
        )
        .map(({ id }) => id),
    stepsOf: (plugin, digest) =>
      database.all(
        'SELECT run, step FROM steps WHERE plugin = ? AND digest = ? ORDER BY seq DESC LIMIT 2000',
        plugin,
        digest,
      ),
  };
}
