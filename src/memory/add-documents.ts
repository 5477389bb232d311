import type { MemoryIngest, MemoryRecord, MemoryUpkeep } from '../contracts/memory.ts';
import type { MemorySource, MemorySources } from '../contracts/memory-store.ts';
import type { Added } from '../contracts/output/parse-memory.ts';
import { sha256 } from '../lib/sha256.ts';
import { memoryId } from './memory-record.ts';
import { type Chunk, chunkText, documentKind, plainCode } from './texts.ts';
/** A text to keep in memory. `source` names it; a person forgets it by that name. */
export type Document = {
  source: string;
  bytes: number;
  changedMs?: number;
  /** read only when it may have changed; undefined when it is not text */
  read(): Promise<string | typeof unreadable | typeof gone | undefined>;
};

/** Stands for a text that could not be read. */
export const unreadable: unique symbol = Symbol('unreadable');
/** Stands for a text that went away since it was listed. */
export const gone: unique symbol = Symbol('gone');
/** The most unreadable paths that a result names. */
const namedUnreadable = 20;

export type AddPorts = {
  memory: Pick<MemoryIngest, 'ingest'> & Pick<MemoryUpkeep, 'list' | 'forget'>;
  sources: MemorySources;
  clock: { nowMs(): number };
};

export type AddOptions = {
  signal: AbortSignal;
  /** the documents belong to the workspace index, which a job keeps up with the files */
  isIndex?: boolean;
  onProgress?: (done: Added, source: string) => void;
};

/** Pieces written in one batch. An interruption loses at most one batch, which is read again. */
const batchChunks = 500;
/** Stands for the hash of a source whose pieces may be written already. */
const unfinished = '';
/** Stands for the hash of a source without text. */
export const noText = 'no text';

type Read = { entry: MemorySource; records: MemoryRecord[]; before: MemorySource | undefined };

/**
 * Cuts documents into pieces and keeps these as `assets`. A document is marked as known once all
 * its pieces are durable, so an interrupted run goes on where it stopped. A document with the same
 * size and time is not read, and a piece at the same place is not written again.
 */
export async function addDocuments(
  ports: AddPorts,
  project: string,
  documents: AsyncIterable<Document>,
  options: AddOptions,
): Promise<Added> {
  const { sources, clock } = ports;
  const done: Added = {
    ...{ added: 0, unchanged: 0, skipped: 0, unreadable: 0, unreadablePaths: [] },
    ...{ chunks: 0, removed: 0 },
  };
  let batch: Read[] = [];
  let chunks = 0;
  const keep = async (): Promise<void> => {
    await keepBatch(ports, project, batch, done, options);
    batch = [];
    chunks = 0;
  };
  for await (const document of documents) {
    options.signal.throwIfAborted();
    const { source, bytes, changedMs } = document;
    const before = sources.get(project, source);
    const stands =
      before !== undefined && before.forgottenMs === undefined && before.hash !== unfinished;
    const isIndexed = options.isIndex === true || before?.isIndexed === true;
    const looksAlike =
      stands && changedMs !== undefined && before.changedMs === changedMs && before.bytes === bytes;
    const entry = {
      project,
      source,
      hash: before?.hash ?? noText,
      bytes,
      ...(changedMs === undefined ? {} : { changedMs }),
      ...(isIndexed ? { isIndexed } : {}),
    };
    const text = looksAlike ? undefined : await document.read();
    if (looksAlike) {
      if (before.hash === noText) done.skipped += 1;
      else done.unchanged += 1;
      if (isIndexed && before.isIndexed !== true) batch.push({ entry, records: [], before });
    } else if (text === unreadable || text === gone) {
      if (text === unreadable) noteUnreadable(done, source);
      // Its old pieces go. The unfinished mark has it read again even if only its permissions
      // change.
      if (text === unreadable || before !== undefined)
        batch.push({ entry: { ...entry, hash: unfinished }, records: [], before });
    } else if (text === undefined) {
      done.skipped += 1;
      // Pieces from the time when it was a text go, too.
      batch.push({ entry: { ...entry, hash: noText }, records: [], before });
    } else {
      const hash = sha256(text);
      if (stands && before.hash === hash) done.unchanged += 1;
      else done.added += 1;
      const records =
        stands && before.hash === hash
          ? []
          : recordsOf(text, { project, source, ts: clock.nowMs() });
      chunks += records.length;
      batch.push({ entry: { ...entry, hash }, records, before });
    }
    if (chunks >= batchChunks || batch.length >= batchChunks) await keep();
    options.onProgress?.(done, source);
  }
  await keep();
  return done;
}

/** Counts an unreadable path, and names it while the list has room. */
export function noteUnreadable(done: Added, path: string): void {
  done.unreadable += 1;
  if (done.unreadablePaths.length < namedUnreadable) done.unreadablePaths.push(path);
}

/** Writes the pieces of some documents, then marks these as known. */
async function keepBatch(
  ports: AddPorts,
  project: string,
  batch: readonly Read[],
  done: Added,
  { signal }: AddOptions,
): Promise<void> {
  const { memory, sources } = ports;
  if (batch.length === 0) return;
  const changed = batch.filter(
    ({ entry, before }) => before !== undefined && before.hash !== entry.hash,
  );
  const stale = await dropStale(ports, project, changed, done, signal);
  const records = batch.flatMap(({ records: own }) =>
    own.filter((record) => stale.get(memoryId(record)) !== placeOf(record)),
  );
  if (records.length > 0) {
    const claim = (): ReadonlySet<string> => {
      const fresh = batch.filter(({ entry }) => sources.get(project, entry.source) === undefined);
      // Mark the sources before their rows are written: if this process dies in between, the next
      // one knows that such rows may exist and looks for them.
      sources.put(fresh.map(({ entry }) => asUnfinished(entry)));
      return new Set(fresh.map(({ entry }) => entry.source));
    };
    const texts = new Set(
      batch.filter(({ entry }) => entry.changedMs === undefined).map(({ entry }) => entry.source),
    );
    await memory.ingest(records, { signal, claim, isText: (source) => texts.has(source) });
    done.chunks += records.length;
  }
  sources.put(batch.map(({ entry }) => entry));
}

/**
 * Takes away pieces that are no more.
 *
 * @returns the lines at which each old piece stood, by its id
 */
async function dropStale(
  { memory }: AddPorts,
  project: string,
  changed: readonly Read[],
  done: Added,
  signal: AbortSignal,
): Promise<Map<string, string | undefined>> {
  if (changed.length === 0) return new Map();
  const names = changed.map(({ entry }) => entry.source);
  const filter = { layer: 'assets' as const, project, sources: names };
  const old = await memory.list(filter, { signal, limit: Number.MAX_SAFE_INTEGER });
  const ids = new Set(changed.flatMap(({ records }) => records.map((record) => memoryId(record))));
  const gone = old.map(({ id }) => id).filter((id) => !ids.has(id));
  for (let at = 0; at < gone.length; at += batchChunks) {
    await memory.forget({ ...filter, ids: gone.slice(at, at + batchChunks) }, { signal });
  }
  done.removed += gone.length;
  return new Map(old.map(({ id, record }) => [id, placeOf(record)]));
}

function placeOf({ tags }: MemoryRecord): string | undefined {
  return tags.find((tag) => tag.startsWith('lines:'));
}

/** The pieces of a document with their search text. Of two equal pieces only the first is kept. */
function recordsOf(
  text: string,
  from: { project: string; source: string; ts: number },
): MemoryRecord[] {
  const { project, source, ts } = from;
  const kind = documentKind(source);
  const records = chunkText(text, kind).map((chunk) => ({
    layer: 'assets' as const,
    text: chunk.text,
    context: contextOf(chunk, source, kind === 'code'),
    kind,
    tags: [`lines:${chunk.startLine}-${chunk.endLine}`],
    project,
    source,
    ts,
  }));
  const said = new Set<string>();
  return records.filter((record) => !said.has(record.text) && said.add(record.text));
}

/** A name made of several words. Search needs it whole: its single words would not find it. */
const compoundName = /\w*(?:[a-z0-9][A-Z]|[A-Z][A-Z][a-z]|[A-Za-z0-9]_[A-Za-z0-9])\w*/g;

/** Its headings; for code the words of the code, then its compound names, each once. */
function contextOf({ text, headings }: Chunk, source: string, isCode: boolean): string {
  const place = [plainCode(source), ...headings].join(' ');
  if (!isCode) return `${place}\n${text}`;
  const names = new Set(text.match(compoundName) ?? []);
  return `${place}\n${plainCode(text)}\n${[...names].join(' ')}`;
}

/** The entry of a file that must be read again: no hash, and a time that no file has. */
export function asUnfinished(entry: MemorySource): MemorySource {
  const { changedMs } = entry;
  return { ...entry, hash: unfinished, ...(changedMs === undefined ? {} : { changedMs: 0 }) };
}

type Ports = { memory: Pick<MemoryUpkeep, 'isEmpty'>; sources: MemorySources };

/**
 * Sources of a workspace that are marked as read but have no pieces, because somebody moved the
 * tables of memory away. Their marks would keep them from being read again.
 */
export async function lostSources(
  { memory, sources }: Ports,
  project: string,
): Promise<MemorySource[]> {
  const read = sources
    .all(project)
    .filter(({ forgottenMs, hash }) => forgottenMs === undefined && hash !== noText);
  return read.some(({ hash }) => hash !== unfinished) && (await memory.isEmpty('assets'))
    ? read
    : [];
}

/** Marks lost sources as unfinished, so that the next update reads them again. */
export async function readLostAgain(ports: Ports, project: string): Promise<void> {
  const lost = await lostSources(ports, project);
  ports.sources.put(lost.map(asUnfinished));
}
