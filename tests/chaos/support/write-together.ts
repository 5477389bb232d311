import { join } from 'node:path';
import { connect } from '@lancedb/lancedb';
import { runChild } from '../../contract/children/run-child.ts';

/** Two processes remember the same keys at once. */
export async function writeTogether(
  folder: string,
  keys: number,
): Promise<{ rows: number; distinct: number }> {
  const writers = [0, 1].map(() =>
    runChild('../../chaos/children/remember-same.ts', [folder, String(keys)]),
  );
  for (const { ended } of writers) {
    const { code, stderr } = await ended;
    if (code !== 0) throw new Error(`a writer ended with ${code}: ${stderr}`);
  }
  const connection = await connect(join(folder, 'lancedb'));
  const table = await connection.openTable('interact');
  const rows: { text: string }[] = await table.query().select(['text']).toArray();
  connection.close();
  return { rows: rows.length, distinct: new Set(rows.map(({ text }) => text)).size };
}
