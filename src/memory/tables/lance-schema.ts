import { createRequire } from 'node:module';
import type { Schema } from 'apache-arrow';
import type { MemoryLayer, MemoryRecord } from '../../contracts/memory.ts';
import { splitState, withState } from '../memory-record.ts';

/** A row of a memory table as LanceDB gives and takes it. */
export type LanceRow = {
  id: string;
  text: string;
  context: string;
  /** null and '' as `embedder`: no embedder has seen it; zeros would be a neighbour of everything */
  vector: Float32Array | null;
  kind: string;
  tags: Iterable<string>;
  project: string;
  session: string | null;
  source: string | null;
  run: string | null;
  ts: bigint;
  embedder: string;
};

/**
 * Tells LanceDB that ids are unique. If two processes add the same row at once, LanceDB then sees a
 * conflict and settles it, and the row is not added twice.
 */
export const primaryKey: Map<string, string> = new Map([
  ['lance-schema:unenforced-primary-key', 'true'],
]);

/**
 * One schema for all layers. Made from the Arrow library that is handed in: it is loaded for
 * writes only.
 *
 * @param dimensions of `vector`; an embedder of another size gets a table of its own
 */
export function lanceSchema(arrow: typeof import('apache-arrow'), dimensions: number): Schema {
  const text = (name: string, nullable: boolean) =>
    new arrow.Field(name, new arrow.Utf8(), nullable);
  const component = new arrow.Field('item', new arrow.Float32(), true);
  return new arrow.Schema([
    new arrow.Field('id', new arrow.Utf8(), false, primaryKey),
    text('text', false),
    text('context', false),
    new arrow.Field('vector', new arrow.FixedSizeList(dimensions, component), true),
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

export function toLanceRow(
  id: string,
  record: MemoryRecord,
  made?: { vector: Float32Array; embedder: string },
): LanceRow {
  return {
    id,
    text: record.text,
    context: record.context,
    vector: made?.vector.some((value) => value !== 0) ? made.vector : null,
    kind: record.kind,
    tags: withState(record),
    project: record.project,
    session: record.session ?? null,
    source: record.source ?? null,
    run: record.run ?? null,
    ts: BigInt(Math.round(record.ts)),
    embedder: made?.embedder ?? '',
  };
}

export function fromLanceRow(
  layer: MemoryLayer,
  row: Omit<LanceRow, 'id' | 'vector' | 'embedder'>,
): MemoryRecord {
  return {
    layer,
    text: row.text,
    context: row.context,
    kind: row.kind,
    ...splitState(row.tags),
    project: row.project,
    ...(row.session === null ? {} : { session: row.session }),
    ...(row.source === null ? {} : { source: row.source }),
    ...(row.run === null ? {} : { run: row.run }),
    ts: Number(row.ts),
  };
}

/**
 * LanceDB loads Arrow by `require`. An `import` would load it a second time, with other classes.
 * package.json says where it is, for the sources and for the bundles.
 */
export function loadArrow(): typeof import('apache-arrow') {
  return createRequire(import.meta.url)('#arrow');
}
