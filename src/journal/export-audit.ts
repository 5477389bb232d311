import { hash } from 'node:crypto';
import type { SealedEvent } from '../contracts/journal.ts';
import type { AuditReport } from '../contracts/output/parse-journal.ts';
import type { Store } from '../contracts/store.ts';
import { parseCsvEvent, parseJsonEvent } from './parse-stored.ts';
import { createChainCheck } from './verify-audit.ts';

export type ExportForm = 'jsonl' | 'csv';

const pageRows = 1_000;
const columns = 'seq,ts,run,kind,leaf,link,step,body,sum';

/**
 * The journal as lines that prove themselves: each ends with a digest of it and all before it, and
 * the last line is signed.
 *
 * @param sign Ed25519, base64
 */
export function* exportAudit(
  store: Pick<Store, 'sealedAfter'>,
  form: ExportForm,
  sign: (text: string) => string,
): Generator<string, void, undefined> {
  let sum = '';
  let events = 0;
  const lineOf = form === 'csv' ? csvLine : jsonLine;
  const summed = (text: string): string => {
    sum = hash('sha256', sum + text);
    return form === 'csv' ? `${text},${sum}` : `${text.slice(0, -1)},"sum":"${sum}"}`;
  };
  if (form === 'csv') yield columns;
  for (let page = store.sealedAfter(0, pageRows); page.length > 0; ) {
    for (const event of page) {
      events += 1;
      yield summed(lineOf(event));
    }
    page = store.sealedAfter(page.at(-1)?.seq ?? 0, pageRows);
  }
  const end = endText(events, sum);
  yield form === 'csv'
    ? `end,${events},${sum},${sign(end)}`
    : JSON.stringify({ end: events, sum, signature: sign(end) });
}

function endText(events: number, sum: string): string {
  return `cuervo audit export\n${events}\n${sum}\n`;
}

function jsonLine({ seq, ts, run, kind, leaf, link, step, body }: SealedEvent): string {
  const rest = { seq, ts, run, kind, leaf, link, step };
  return `${JSON.stringify(rest).slice(0, -1)},"body":${body}}`;
}

/** Texts are JSON, so that each event is one line and no spreadsheet takes one for a formula. */
function csvLine({ seq, ts, run, kind, leaf, link, step, body }: SealedEvent): string {
  const text = (value: string | null): string => `"${(value ?? '').replaceAll('"', '""')}"`;
  const cells = [seq, ts, run ?? '', kind, leaf, link];
  return [...cells, text(step === null ? null : JSON.stringify(step)), text(body)].join(',');
}

/**
 * Proves an export by the public key alone, line by line.
 *
 * @param isSigned whether a text has this signature
 */
export async function verifyExport(
  lines: AsyncIterable<string>,
  isSigned: (text: string, signature: string) => boolean,
): Promise<AuditReport> {
  const check = createChainCheck(undefined);
  const problems: AuditReport['problems'] = [];
  let sum = '';
  let number = 0;
  let isEnded = false;
  for await (const line of lines) {
    number += 1;
    if (number === 1 && line === columns) continue;
    const end = endOf(line);
    if (isEnded) problems.push({ seq: 0, problem: `line ${number} stands behind the signed end` });
    else if (end !== undefined) {
      isEnded = true;
      const isOurs = end.events === check.count() && end.sum === sum;
      if (!isOurs || !isSigned(endText(end.events, end.sum), end.signature))
        problems.push({ seq: 0, problem: 'the signature does not fit this export and this key' });
    } else {
      const found = /,(?:"sum":")?([0-9a-f]{64})(?:"\})?$/.exec(line);
      const isJson = line.startsWith('{');
      const text = found === null ? line : line.slice(0, found.index) + (isJson ? '}' : '');
      sum = hash('sha256', sum + text);
      const event = isJson ? parseJsonEvent(text) : parseCsvEvent(text);
      if (found?.[1] !== sum || event === undefined) {
        problems.push({ seq: event?.seq ?? 0, problem: `line ${number} was changed` });
        break;
      }
      check.take(event);
    }
  }
  if (!isEnded && problems.length === 0)
    problems.push({
      seq: check.lastSeq(),
      problem: 'the export is cut: its signed end is missing',
    });
  const all = [...problems, ...check.end()];
  return {
    whole: all.length === 0,
    events: check.count(),
    heads: isEnded ? 1 : 0,
    unsigned: isEnded ? 0 : check.count(),
    problems: all,
    notes: check.notes(),
  };
}

function endOf(line: string): { events: number; sum: string; signature: string } | undefined {
  const found =
    /^end,(\d+),([0-9a-f]{64}|),(\S+)$/.exec(line) ??
    /^\{"end":(\d+),"sum":"([0-9a-f]{64}|)","signature":"([^"]+)"\}$/.exec(line);
  if (found === null) return undefined;
  return { events: Number(found[1]), sum: found[2] ?? '', signature: found[3] ?? '' };
}
