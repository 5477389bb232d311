import type { MemoryRecord, MemoryState } from '../../contracts/memory.ts';

/** Begins the one tag that holds what became of a row; no other tag may begin so. */
const mark = '\u0001';

const names = [
  'scope',
  'subject',
  'holdsMs',
  'replaces',
  'replacedBy',
  'endedMs',
  'why',
  'stays',
] as const satisfies readonly (keyof MemoryState)[];

function stateOf(record: MemoryState): MemoryState {
  const entries = names.map((name) => [name, record[name]]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/**
 * The tags of a row as its table keeps them. The state is one more of them, as JSON: tables of
 * earlier versions, here and in an object store, then need no other columns.
 */
export function withState(record: MemoryState & Pick<MemoryRecord, 'tags'>): string[] {
  const state = JSON.stringify(stateOf(record));
  const tags = ownTags(record.tags);
  return state === '{}' ? tags : [...tags, `${mark}${state}`];
}

/** Tags as a person or a plugin gave them: none can pass for the state. */
export function ownTags(tags: Iterable<string>): string[] {
  return [...tags].filter((tag) => !tag.startsWith(mark));
}

/** Tags and state apart. An unreadable state counts as none. */
export function splitState(kept: Iterable<string>): MemoryState & { tags: string[] } {
  const all = [...kept];
  const tags = ownTags(all);
  const state = all.find((tag) => tag.startsWith(mark))?.slice(mark.length);
  if (state === undefined) return { tags };
  try {
    return { ...stateOf(JSON.parse(state) as MemoryState), tags };
  } catch {
    return { tags };
  }
}
