import * as v from 'valibot';
import type { AuditHead, JournalBody, SealedEvent } from '../contracts/journal.ts';
import { journalBodies } from '../contracts/output/parse-journal.ts';

const digest = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const number = v.pipe(v.number(), v.integer());

const eventSchema = v.object({
  seq: number,
  ts: number,
  run: v.nullable(v.string()),
  kind: v.string(),
  leaf: digest,
  link: digest,
  step: v.nullable(v.string()),
});

/** An event of a line of JSON without its sum; undefined for anything else. */
export function parseJsonEvent(text: string): SealedEvent | undefined {
  const at = text.indexOf(',"body":');
  if (at < 0) return undefined;
  const body = text.slice(at + 8, -1);
  return checked(`${text.slice(0, at)}}`, body === 'null' ? null : body);
}

/** The same of a line of CSV. */
export function parseCsvEvent(text: string): SealedEvent | undefined {
  const cells = /^(\d+),(\d+),([^,"]*),([^,"]*),(\w*),(\w*),"((?:[^"]|"")*)","((?:[^"]|"")*)"$/;
  const found = cells.exec(text);
  if (found === null) return undefined;
  const [, seq, ts, run, kind, leaf, link, step = '', body = ''] = found;
  const plain = (cell: string): string => cell.replaceAll('""', '"');
  const head = JSON.stringify({ run: run || null, kind, leaf, link }).slice(1);
  const object = `{"seq":${seq},"ts":${ts},"step":${step === '' ? 'null' : plain(step)},${head}`;
  return checked(object, body === '' ? null : plain(body));
}

function checked(json: string, body: string | null): SealedEvent | undefined {
  try {
    if (body !== null) JSON.parse(body);
    const parsed = v.safeParse(eventSchema, JSON.parse(json), { abortEarly: true });
    return parsed.success ? { ...parsed.output, body } : undefined;
  } catch {
    return undefined;
  }
}

/** The contents of an event of a kind; undefined where they are none of it. */
export function parseBody<Kind extends 'removed' | 'gap'>(
  kind: Kind,
  body: string,
): JournalBody<Kind> | undefined {
  try {
    const parsed = v.safeParse(journalBodies[kind], JSON.parse(body), { abortEarly: true });
    return parsed.success ? (parsed.output as JournalBody<Kind>) : undefined;
  } catch {
    return undefined;
  }
}

const reply = v.union([
  v.object({ error: v.object({ tag: v.string(), val: v.string() }) }),
  v.object({ value: v.optional(v.unknown()) }),
]);

/** What the host answered; undefined for what is no answer. */
export function parseReply(text: string): v.InferOutput<typeof reply> | undefined {
  try {
    const parsed = v.safeParse(reply, JSON.parse(text), { abortEarly: true });
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}

const headSchema = v.object({
  seq: v.pipe(v.number(), v.integer()),
  link: v.string(),
  ts: v.number(),
  signature: v.string(),
});

/**
 * The signed ends in the lines of a file.
 *
 * @param onBad told the number of a line that holds none, from 1
 */
export function parseHeads(lines: string, onBad: (line: number) => void): AuditHead[] {
  return lines.split('\n').flatMap((line, index) => {
    if (line === '') return [];
    const head = parseHead(line);
    if (head === undefined) onBad(index + 1);
    return head === undefined ? [] : [head];
  });
}

/** undefined for what is no signed end */
function parseHead(line: string): AuditHead | undefined {
  try {
    const parsed = v.safeParse(headSchema, JSON.parse(line), { abortEarly: true });
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}
