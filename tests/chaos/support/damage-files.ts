import {
  cpSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import type { MemoryEmbedder, MemoryRecord } from '../../../src/contracts/memory.ts';
import { openMemory } from '../../../src/memory/open-memory.ts';
import { openStore } from '../../../src/store/open-store.ts';

/** So many that the table gets an index of vectors. */
const rows = 10_500;
const nowMs = 1_800_000_000_000;
const wanted = 'the heron stands';
const { signal } = new AbortController();

const damages: Readonly<Record<string, (path: string) => void>> = {
  removed: (path) => rmSync(path),
  cut: (path) => truncateSync(path, Math.floor(statSync(path).size / 2)),
  zeros: (path) => writeFileSync(path, Buffer.alloc(statSync(path).size)),
};

/**
 * Damages each file of a table with indices in turn, searches its oldest row, and makes the table
 * anew.
 *
 * @returns how many damages were tried, and those after which the row was not found or rows were lost
 */
export async function damageFiles(folder: string): Promise<{ tried: number; failed: string[] }> {
  const whole = mkdtempSync(join(folder, 'whole-'));
  {
    await using memory = await open(whole);
    await memory.remember([row(wanted, 0)], { signal });
    const others = Array.from({ length: rows - 1 }, (_, n) =>
      row(`stork ${n} in nest ${n % 97}`, n),
    );
    await memory.remember(others, { signal });
    await memory.flush({ signal });
    await memory.optimize(nowMs, { signal, force: true });
  }
  const tables = readdirSync(join(whole, 'lancedb'), { recursive: true, withFileTypes: true });
  const files = tables
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(whole, join(parentPath, name)));
  if (!files.some((file) => file.endsWith('index.idx'))) throw new Error('no index of vectors');
  const failed: string[] = [];
  let tried = 0;
  for (const file of files) {
    for (const [how, damage] of Object.entries(damages)) {
      const copy = mkdtempSync(join(folder, 'copy-'));
      cpSync(whole, copy, { recursive: true });
      damage(join(copy, file));
      tried += 1;
      if (!(await isWhole(copy))) failed.push(`${how}: ${file}`);
      rmSync(copy, { recursive: true });
    }
  }
  return { tried, failed };
}

async function isWhole(folder: string): Promise<boolean> {
  await using memory = await open(folder);
  const found = async () => (await memory.search({ text: wanted, limit: 1 }, { signal }))[0]?.text;
  const before = await found();
  await memory.rebuild({ signal });
  const { insights } = await memory.count({}, { signal });
  return before === wanted && (await found()) === wanted && insights === rows;
}

async function open(folder: string) {
  const store = openStore({ path: join(folder, 'cuervo.db') });
  const memory = await openMemory({
    directory: join(folder, 'lancedb'),
    journal: store.memoryJournal,
    clock: { nowMs: () => nowMs },
    embedder: async () => letters,
  });
  const close = async () => {
    await memory[Symbol.asyncDispose]();
    store[Symbol.dispose]();
  };
  return { ...memory, [Symbol.asyncDispose]: close };
}

function row(text: string, n: number): MemoryRecord {
  const common = { layer: 'insights', kind: 'fact', tags: [], project: '/p' } as const;
  return { ...common, text, context: text, ts: nowMs - rows + n };
}

/** How often each of sixteen groups of letters is there, as a vector of length 1. */
const letters: MemoryEmbedder = {
  ...{ name: 'letters', dimensions: 16, alpha: 0.4, cosineFloor: 0, perhapsCosine: 0.3 },
  ...{ sureCosine: 0.5, rerankShare: 0.5 },
  embed: async (texts) =>
    texts.map((text) => {
      const counts = new Float32Array(16);
      for (const letter of text) counts[letter.charCodeAt(0) % 16]! += 1;
      const length = Math.hypot(...counts) || 1;
      return counts.map((count) => count / length);
    }),
};
