import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MemoryLayer, memoryLayers } from '../../contracts/memory.ts';
import { writeFileWhole } from '../../lib/files/write-file-whole.ts';

/** Why a table still holds bytes of removed rows: a sweep removed them, or a person forgot them. */
export type WipeMark = 'removed' | 'forgotten';

const fileName = 'removed.json';

/**
 * Layers whose tables still hold bytes of removed rows, kept in `removed.json` of the folder of
 * memory.
 *
 * @returns undefined where there is no file; every layer as forgotten where the file is damaged
 */
export function readWipeMarks(directory: string): Map<MemoryLayer, WipeMark> | undefined {
  const path = join(directory, fileName);
  if (!existsSync(path)) return undefined;
  try {
    const kept = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
    const layers = memoryLayers.filter((layer) => kept[layer] !== undefined);
    return new Map(
      layers.map((layer) => [layer, kept[layer] === 'removed' ? 'removed' : 'forgotten']),
    );
  } catch {
    return new Map(memoryLayers.map((layer) => [layer, 'forgotten']));
  }
}

/** Call it before the rows are removed, as the holder of the write lock. */
export function addWipeMark(directory: string, layer: MemoryLayer, mark: WipeMark): void {
  const marks = readWipeMarks(directory) ?? uncounted();
  const known = marks.get(layer);
  if (known === mark || known === 'forgotten') return;
  write(directory, marks.set(layer, mark));
}

/** Call it when the bytes are gone, as the holder of the write lock. */
export function dropWipeMark(directory: string, layer: MemoryLayer): void {
  const marks = readWipeMarks(directory) ?? uncounted();
  marks.delete(layer);
  write(directory, marks);
}

/** All layers, for a folder without a file: each table may hold such bytes. */
function uncounted(): Map<MemoryLayer, WipeMark> {
  return new Map(memoryLayers.map((layer) => [layer, 'removed']));
}

function write(directory: string, marks: ReadonlyMap<string, string>): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writeFileWhole(join(directory, fileName), `${JSON.stringify(Object.fromEntries(marks))}\n`);
}
