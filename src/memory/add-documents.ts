import type { Added, Memory, MemoryRecord, MemoryUpkeep } from '../contracts/memory.ts';
import type { MemorySource, MemorySources } from '../contracts/memory-sources.ts';
import { sha256 } from '../lib/sha256.ts';
import { type Chunk, chunkText, documentKind } from './chunk-text.ts';
import { memoryId } from './memory-id.ts';
import { plainCode } from './static/plain-code.ts';

/** A text that is to be known, by the name under which it is forgotten. */
export type Document = {
  source: string;
  bytes: number;
  changedMs?: number;
  /** read only when it may have changed; undefined when it is no text */
  read(): Promise<string | undefined>;
};

export type AddPorts = {
  memory: Pick<Memory, 'remember'> & Pick<MemoryUpkeep, 'list' | 'forget'>;
  sources: MemorySources;
  clock: { nowMs(): number };
};

/** Pieces that are written at once; what is lost to an interruption is read again. */
const batchChunks = 1_000;

/**
 * Cuts documents into pieces and keeps these as `assets`. A document is marked as known when all
 * its pieces are durable: what was interrupted goes on where it stopped. One that looks as it did
 * is not even read.
 */
export async function addDocuments(
  ports: AddPorts,
  project: string,
  documents: AsyncIterable<Document>,
  options: { signal: AbortSignal; onProgress?: (done: Added, source: string) => void },
): Promise<Added> {
  const done: Added = { added: 0, unchanged: 0, skipped: 0, chunks: 0, removed: 0 };
  let records: MemoryRecord[] = [];
  let known: MemorySource[] = [];
  const keep = async (): Promise<void> => {
    if (records.length > 0) await ports.memory.remember(records, options);
    if (known.length > 0) ports.sources.put(known);
    records = [];
    known = [];
  };
  for await (const document of documents) {
    options.signal.throwIfAborted();
    const { source, bytes, changedMs } = document;
    const before = ports.sources.get(project, source);
    const stands = before !== undefined && before.forgottenMs === undefined;
    const looksAlike =
      stands && changedMs !== undefined && before.changedMs === changedMs && before.bytes === bytes;
    const text = looksAlike ? undefined : await document.read();
    if (looksAlike) done.unchanged += 1;
    else if (text === undefined) done.skipped += 1;
    else {
      const hash = sha256(text);
      const entry = {
        project,
        source,
        hash,
        bytes,
        ...(changedMs === undefined ? {} : { changedMs }),
      };
      if (stands && before.hash === hash) done.unchanged += 1;
      else {
        const made = recordsOf(text, { project, source, hash, ts: ports.clock.nowMs() });
        const fresh =
          before === undefined ? made : await replace(ports, made, entry, done, options);
        records.push(...fresh);
        done.chunks += fresh.length;
        done.added += 1;
      }
      known.push(entry);
      if (records.length >= batchChunks) await keep();
    }
    options.onProgress?.(done, source);
  }
  await keep();
  return done;
}

/** Takes away pieces that are no more. @returns those that are new, or stand elsewhere now */
async function replace(
  ports: AddPorts,
  made: readonly MemoryRecord[],
  { project, source }: MemorySource,
  done: Added,
  { signal }: { signal: AbortSignal },
): Promise<MemoryRecord[]> {
  const filter = { layer: 'assets' as const, project, source };
  const old = await ports.memory.list(filter, { signal, limit: Number.MAX_SAFE_INTEGER });
  const placeOf = ({ tags }: MemoryRecord) => tags.find((tag) => tag.startsWith('lines:'));
  const places = new Map(old.map(({ id, record }) => [id, placeOf(record)]));
  const ids = new Set(made.map((record) => memoryId(record)));
  const gone = old.map(({ id }) => id).filter((id) => !ids.has(id));
  if (gone.length > 0) await ports.memory.forget({ ...filter, ids: gone }, { signal });
  done.removed += gone.length;
  return made.filter((record) => places.get(memoryId(record)) !== placeOf(record));
}

/** Pieces of a document, with what they are found by. */
function recordsOf(
  text: string,
  from: { project: string; source: string; hash: string; ts: number },
): MemoryRecord[] {
  const { project, source, ts } = from;
  const kind = documentKind(source);
  return chunkText(text, kind).map((chunk) => ({
    layer: 'assets',
    text: chunk.text,
    context: contextOf(chunk, source, kind === 'code'),
    kind,
    tags: [`lines:${chunk.startLine}-${chunk.endLine}`],
    project,
    source,
    ts,
  }));
}

/** Where it stands in front; names in code once more as the words that they are made of. */
function contextOf({ text, headings }: Chunk, source: string, isCode: boolean): string {
  const place = [plainCode(source), ...headings].join(' ');
  return isCode ? `${place}\n${text}\n${plainCode(text)}` : `${place}\n${text}`;
}
