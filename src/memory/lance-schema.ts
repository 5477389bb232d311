import type { Schema } from 'apache-arrow';
import type { MemoryRecord } from '../contracts/memory.ts';

/**
 * Dimensions of `vector`: those of the embedded static embedder. A row that no embedder has seen
 * has null there and '' as `embedder`: a vector of zeros would be a neighbour of everything. An
 * embedder of another size gets a table of its own.
 */
const vectorDimensions = 256;

/** A row of a memory table as LanceDB gives and takes it. */
export type LanceRow = {
  id: string;
  text: string;
  context: string;
  vector: null;
  kind: string;
  tags: Iterable<string>;
  project: string;
  session: string | null;
  source: string | null;
  run: string | null;
  ts: bigint;
  embedder: string;
};

/** Made from the Arrow library that is handed in: it is loaded for writes only. */
export function lanceSchema(arrow: typeof import('apache-arrow')): Schema {
  const text = (name: string, nullable: boolean) =>
    new arrow.Field(name, new arrow.Utf8(), nullable);
  const component = new arrow.Field('item', new arrow.Float32(), true);
  const vector = new arrow.FixedSizeList(vectorDimensions, component);
  return new arrow.Schema([
    text('id', false),
    text('text', false),
    text('context', false),
    new arrow.Field('vector', vector, true),
    text('kind', false),
    new arrow.Field('tags', new arrow.List(text('item', true)), false),
    text('project', false),
    text('session', true),
    text('source', true),
    text('run', true),
    new arrow.Field('ts', new arrow.Int64(), false),
    text('embedder', false),
  ]);
}

export function toLanceRow(id: string, record: MemoryRecord): LanceRow {
  return {
    id,
    text: record.text,
    context: record.context,
    vector: null,
    kind: record.kind,
    tags: record.tags,
    project: record.project,
    session: record.session ?? null,
    source: record.source ?? null,
    run: record.run ?? null,
    ts: BigInt(Math.round(record.ts)),
    embedder: '',
  };
}

export function fromLanceRow(row: Omit<LanceRow, 'vector' | 'embedder'>): MemoryRecord {
  return {
    layer: 'interact',
    text: row.text,
    context: row.context,
    kind: row.kind,
    tags: [...row.tags],
    project: row.project,
    ...(row.session === null ? {} : { session: row.session }),
    ...(row.source === null ? {} : { source: row.source }),
    ...(row.run === null ? {} : { run: row.run }),
    ts: Number(row.ts),
  };
}
