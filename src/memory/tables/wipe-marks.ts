import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MemoryLayer, memoryLayers } from '../../contracts/memory.ts';
import { writeFileWhole } from '../../lib/files/write-file-whole.ts';

/** Why bytes of rows lie in a table that has the rows no more: a sweep, or a person who wants them gone. */
export type WipeMark = 'removed' | 'forgotten';

const fileName = 'removed.json';

/**
 * Layers whose tables still hold bytes of removed rows, kept in `removed.json` of the folder of
 * memory.
 *
 * @returns undefined when there is no count; for a damaged file every layer as forgotten
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

/** Each of these may hold such bytes. */
function uncounted(): Map<MemoryLayer, WipeMark> {
  return new Map(memoryLayers.map((layer) => [layer, 'removed']));
}

function write(directory: string, marks: ReadonlyMap<string, string>): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writeFileWhole(join(directory, fileName), `${JSON.stringify(Object.fromEntries(marks))}\n`);
}
