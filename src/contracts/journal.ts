import type { InferOutput } from 'valibot';
import type { JournalKind, journalBodies } from './output/parse-journal.ts';

export type { JournalKind } from './output/parse-journal.ts';

export type JournalBody<Kind extends JournalKind> = InferOutput<(typeof journalBodies)[Kind]>;

type Entry<Kind extends JournalKind> = {
  /** absent for what belongs to no run */
  run?: string;
  step?: string;
  kind: Kind;
  /** ms since the Unix epoch */
  ts: number;
  body: JournalBody<Kind>;
};

/** What is written: everything that cuervo does is one of these. */
export type JournalEntry = { [Kind in JournalKind]: Entry<Kind> }[JournalKind];

/** What is read: the contents are gone once they were forgotten or pruned. */
export type JournalEvent = {
  [Kind in JournalKind]: Omit<Entry<Kind>, 'body'> & { seq: number; body?: JournalBody<Kind> };
}[JournalKind];

/** An event as it is stored, with what proves it. */
export type SealedEvent = {
  seq: number;
  run: string | null;
  kind: string;
  ts: number;
  step: string | null;
  /** JSON; null once it is removed */
  body: string | null;
  /** hex, as `link` */
  leaf: string;
  link: string;
};

/** What a leaf proves. */
export function sealedText({ step, body }: Pick<SealedEvent, 'step' | 'body'>): string {
  return `${step ?? ''}\0${body}`;
}

/** What of an event stays when its contents are removed, as its link holds it. */
export function openText({ run, kind, ts }: Pick<SealedEvent, 'run' | 'kind' | 'ts'>): string {
  return `${run ?? ''}\0${kind}\0${ts}`;
}

/** The end of the chain at some time, signed. */
export type AuditHead = { seq: number; link: string; ts: number; signature: string };

/** The journal in `cuervo.db`. */
export type Journal = {
  /** Events of a run, in their order. */
  events(run: string): JournalEvent[];
  /** At most `limit` events behind `seq`, of all runs: for a reader that follows or streams. */
  eventsAfter(seq: number, limit: number): JournalEvent[];
  /** The same with what proves each. */
  sealedAfter(seq: number, limit: number): SealedEvent[];
  /**
   * What events since a time hold under keys; null where they hold none. Removed ones are left out.
   * All events are read once, however many kinds are asked for. Keys are names in the schema.
   */
  valuesOf<Kind extends JournalKind>(
    keys: Readonly<Record<Kind, readonly string[]>>,
    sinceMs: number,
  ): Record<Kind, unknown[][]>;
  /** How many host calls there were since a time, by call and outcome. */
  callCounts(sinceMs: number): { call: string; outcome: string; times: number }[];
  /** Sessions with a run since then. */
  sessionsSince(sinceMs: number): number;
  /** Runs with steps of plugins, or of one of them, the newest first. */
  runsWithSteps(plugin: string | undefined, limit: number): string[];
  /** What a recorded answer of a run is kept as, in a blob. */
  addPayload(payload: { run: string; hash: string; bytes: number; ts: number }): void;
  /** The last event's number and link, hex; undefined in an empty journal. */
  lastLink(): { seq: number; link: string } | undefined;
  addHead(head: AuditHead): void;
  heads(): AuditHead[];
};
