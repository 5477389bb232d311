import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { LayerStats, MemoryLayer } from '../../contracts/memory.ts';
import type { FlushPorts } from '../flush-pending.ts';
import type { RowReader } from './read-rows.ts';

/** How much a layer holds, in its table and in the journal. */
export async function layerStats(
  layer: MemoryLayer,
  ports: { directory: string; index: FlushPorts['index']; reader: RowReader },
): Promise<LayerStats> {
  const { index, reader } = ports;
  const { pendingRows, readOne } = reader;
  const name = (await index.tables()).find((table) => table.layer === layer);
  const pending = pendingRows({ layer });
  const read = await readOne(layer, async (table) => ({
    times: await table.times(undefined),
    ...(await table.size()),
  }));
  const inTable = read?.times ?? [];
  const times = [...inTable.map(({ ts }) => ts), ...pending.map(({ record }) => record.ts)];
  const known = new Set(inTable.map(({ id }) => id));
  const waiting = pending.filter(({ id }) => !known.has(id)).length;
  const ends = times.reduce(
    ({ oldest, newest }, ts) => ({ oldest: Math.min(oldest, ts), newest: Math.max(newest, ts) }),
    { oldest: Number.POSITIVE_INFINITY, newest: Number.NEGATIVE_INFINITY },
  );
  return {
    layer,
    rows: inTable.length + waiting,
    pending: pending.length,
    fragments: read?.fragments ?? 0,
    bytes:
      name === undefined || index.isShared(layer)
        ? (read?.bytes ?? 0)
        : await folderBytes(join(ports.directory, `${name.table}.lance`)),
    embedder: name?.embedder ?? '',
    dimensions: name?.dimensions ?? 0,
    ...(times.length === 0 ? {} : { oldestMs: ends.oldest, newestMs: ends.newest }),
  };
}

async function folderBytes(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    // a file that a compaction has taken away meanwhile counts nothing
    if (entry.isFile()) bytes += await sizeOf(join(entry.parentPath, entry.name));
  }
  return bytes;
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    return 0;
  }
}
