import * as v from 'valibot';
import type { SealedEvent } from '../contracts/journal.ts';

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
