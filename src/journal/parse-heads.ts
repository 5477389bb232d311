import * as v from 'valibot';
import type { AuditHead } from '../contracts/journal.ts';

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
