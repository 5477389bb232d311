import type { ProtectedCheck } from '../../contracts/content-gate.ts';
import { KernelError } from '../../contracts/error.ts';
import {
  everyProject,
  type MemoryFilter,
  type MemoryHit,
  type MemoryRow,
  memoryLayers,
} from '../../contracts/memory.ts';
import type { Kernel } from '../../kernel.ts';
import { workRoot } from '../../lib/files/paths.ts';
import type { MemoryView, PageRow } from '../../page/views.ts';

const dayMs = 86_400_000;
/** Younger than this, in days; what is older than the last is one group. */
const ages = [1, 7, 30, 90];
const maxRows = 100;
const maxHits = 32;
const maxWords = 1_000;
const maxText = 2_000;

/** Rows of memory by layer and age: the newest, or what a search finds. */
export async function memoryView(
  kernel: Kernel,
  { text, layer }: { text: string; layer: string },
  { isProtected, signal }: { isProtected: ProtectedCheck; signal: AbortSignal },
): Promise<MemoryView> {
  if (text.length > maxWords) {
    const message = `the search has ${text.length} characters, limit ${maxWords}`;
    throw new KernelError('invalid-argument', message, { hint: 'Search for fewer words.' });
  }
  const memory = await kernel.memory();
  const of: MemoryFilter = { projects: [kernel.config.workspace, everyProject] };
  const known = memoryLayers.find((each) => each === layer);
  const filter = known === undefined ? of : { ...of, layer: known };
  const pageRow = (row: PageRow): PageRow => {
    const isHidden = row.source !== undefined && isProtected(row.source, workRoot);
    if (isHidden) return { ...row, text: 'not shown: it comes from a protected name' };
    return { ...row, text: row.text.slice(0, maxText) };
  };
  const rows = async (): Promise<PageRow[]> => {
    if (text.trim() === '')
      return (await memory.list(filter, { signal, limit: maxRows })).map(rowOf);
    const query = await kernel.memoryCommands.questionOf(text);
    return (await memory.search({ limit: maxHits, ...filter, ...query }, { signal })).map(hitOf);
  };
  const nowMs = kernel.jobs.nowMs();
  const counted = async (from: number | undefined, until: number | undefined) =>
    await memory.count(
      {
        ...of,
        ...(until === undefined ? {} : { sinceMs: nowMs - until * dayMs }),
        ...(from === undefined ? {} : { beforeMs: nowMs - from * dayMs }),
      },
      { signal },
    );
  const groups = [];
  for (const [at, until] of [...ages, undefined].entries()) {
    const name = until === undefined ? 'older' : until === 1 ? '1 day' : `${until} days`;
    groups.push({ name, rows: await counted(ages[at - 1], until) });
  }
  return { ages: groups, rows: (await rows()).map(pageRow), text };
}

function rowOf({ id, record }: MemoryRow): PageRow {
  const { layer, kind, text, source, ts, run } = record;
  return {
    ...{ id, layer, kind, text, ts },
    ...(source === undefined ? {} : { source }),
    ...(run === undefined ? {} : { run }),
  };
}

function hitOf(hit: MemoryHit): PageRow {
  const { id, score, factors, ...record } = hit;
  return { ...rowOf({ id, record: { ...record, context: '' } }), score, factors };
}
