import { createHash } from 'node:crypto';
import { KernelError } from '../contracts/error.ts';
import { type MemoryRecord, type MemoryState, memoryLayers } from '../contracts/memory.ts';
import { spaceWords } from './content-words.ts';
import { isKept } from './layers.ts';
import { cutText, documentKind } from './texts.ts';

const maxTextCharacters = 32_768;
const maxContextCharacters = 16_384;

/**
 * The record as it is kept: text and context cut to 32,768 and 16,384 characters, half surrogates
 * replaced, words of scripts without spaces set apart in the context.
 *
 * @throws {KernelError} `invalid-argument` for an empty text, an invalid time, or a layer
 *   that does not exist
 */
export function checkRecord(record: MemoryRecord): MemoryRecord {
  if (!memoryLayers.includes(record.layer)) {
    throw new KernelError(
      'invalid-argument',
      `there is no memory layer "${record.layer}", only ${memoryLayers.join(', ')}`,
    );
  }
  if (record.text.trim() === '') {
    throw new KernelError('invalid-argument', `a record of kind "${record.kind}" has no text`);
  }
  if (!Number.isFinite(record.ts)) {
    throw new KernelError(
      'invalid-argument',
      `a record of kind "${record.kind}" has the time ${record.ts}, not milliseconds`,
    );
  }
  const { scope, ...rest } = record;
  return {
    ...rest,
    // `project` is not stored: it is the scope of most rows, and of all rows of earlier versions.
    ...(scope === undefined || scope === 'project' ? {} : { scope }),
    text: cutText(record.text, maxTextCharacters).toWellFormed(),
    context: spaceWords(cutText(record.context, maxContextCharacters)).toWellFormed(),
    kind: keptKind(record).toWellFormed(),
    project: record.project.toWellFormed(),
    ...(record.run === undefined ? {} : { run: record.run.toWellFormed() }),
    ...(record.session === undefined ? {} : { session: record.session.toWellFormed() }),
    ...(record.source === undefined ? {} : { source: record.source.toWellFormed() }),
    tags: ownTags(record.tags).map((tag) => tag.toWellFormed()),
  };
}

/** The kind of a piece's content, if it comes as commands show it. */
function keptKind({ kind, layer, source }: MemoryRecord): string {
  return kind === 'passage' && layer === 'assets' ? documentKind(source ?? '') : kind;
}

/**
 * SHA-256 of scope (layer, project, kind, source) and text, hex: the same words in the same scope
 * are one row, however often they are written. A plugin's rows have its name as source, so they
 * replace nobody else's. The ids of replaced facts are part of a fact's id. JSON keeps the parts
 * apart.
 */
export function memoryId(
  record: Pick<MemoryRecord, 'layer' | 'project' | 'kind' | 'text' | 'source' | 'replaces'>,
): string {
  // A fact keeps its id when it moves to another layer.
  const layer = isKept(record) ? 'interact' : record.layer;
  const parts = [layer, record.project, idKind(record), record.text];
  if (record.layer === 'assets' || record.source !== undefined) parts.push(record.source ?? '');
  // A fact that is told again after another one replaced it gets a new id, so the chain has no
  // loop.
  if (record.replaces !== undefined) parts.push(...record.replaces);
  const scope = JSON.stringify(parts);
  return createHash('sha256').update(scope).digest('hex');
}

/**
 * Earlier versions called facts notes; the id still uses that name, so that their rows keep theirs.
 */
function idKind({ kind, source }: Pick<MemoryRecord, 'kind' | 'source'>): string {
  return kind === 'fact' && source === undefined ? 'note' : kind;
}

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
function ownTags(tags: Iterable<string>): string[] {
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
