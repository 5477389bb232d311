import { appendFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type LogLevel, logLevels } from '../contracts/config.ts';
import type { JournalBody, JournalEntry, JournalKind } from '../contracts/journal.ts';
import { makeFolder } from '../lib/files/folders.ts';

/** A file that is fuller goes to `events.log.1`, and so on; the oldest is dropped. */
const maxFileBytes = 4 * 1024 ** 2;
const oldFiles = 3;

type Line = readonly [level: LogLevel, fields?: Readonly<Record<string, unknown>>];

/**
 * What the log tells of each kind of event: never words of a person, names of files or answers,
 * which a deletion would have to find here. A new kind has no type until it stands here.
 */
const lines: { [Kind in JournalKind]: (body: JournalBody<Kind>) => Line } = {
  run: ({ command, model }) => ['info', { command, model }],
  reading: ({ kind }) => ['debug', { reading: kind }],
  plan: ({ steps }) => ['debug', { steps: steps.length }],
  step: ({ tool, plugin, status, durationMs, attempts }) => [
    status === 'ok' ? 'info' : 'warn',
    { tool, plugin, status, durationMs, attempts },
  ],
  'host-call': ({ call, outcome, durationMs, bytes }) => [
    outcome === 'denied' ? 'warn' : 'debug',
    { call, outcome, durationMs, bytes },
  ],
  decision: ({ command }) => ['info', { command }],
  grant: ({ plugin, by }) => ['debug', { plugin, by }],
  'memory-read': ({ rows }) => ['debug', { rows: rows.length }],
  'memory-write': ({ rows }) => ['debug', { rows: rows.length }],
  network: ({ method, outcome, bytes, durationMs }) => [
    'info',
    { method, outcome, bytes, durationMs },
  ],
  compaction: ({ summary }) => ['info', { isSummedUp: summary !== undefined }],
  job: ({ job, outcome, durationMs }) => [
    outcome === 'done' ? 'info' : 'error',
    { job, outcome, durationMs },
  ],
  guard: ({ point, check, action, counts }) => ['warn', { point, check, action, counts }],
  'model-call': ({ round, model, stop, attempts, durationMs, purpose, ...usage }) => [
    stop === 'broken' ? 'warn' : 'info',
    {
      ...{ round, model, stop, attempts, durationMs, purpose, usd: usage.usd },
      ...{ inputTokens: usage.inputTokens, outputTokens: usage.outputTokens },
    },
  ],
  answer: ({ mode, stop }) => ['info', { mode, stop }],
  error: ({ code }) => ['error', { code }],
  'run-finished': ({ status, durationMs }) => ['info', { status, durationMs }],
  removed: ({ why, runs }) => ['info', { why, runs: runs.length }],
  gap: ({ lost }) => ['error', { lost }],
};

/**
 * What writes events to `logs/events.log` of a home, as lines of JSON; undefined where it is off.
 * All of its files together hold `maxFileBytes` of each of `oldFiles` + 1, and a burst more.
 *
 * @param onError told why lines are missing; the journal has them all the same
 */
export function openEventLog(
  home: string,
  level: LogLevel,
  onError: (error: Error) => void,
): ((entries: readonly JournalEntry[]) => void) | undefined {
  if (level === 'off') return undefined;
  const folder = join(home, 'logs');
  const path = join(folder, 'events.log');
  return (entries) => {
    const told = entries.flatMap((entry) => lineOf(entry, level));
    if (told.length === 0) return;
    try {
      makeFolder(folder);
      if (sizeOf(path) > maxFileBytes) rotate(path);
      appendFileSync(path, told.join(''), { mode: 0o600 });
    } catch (thrown) {
      onError(thrown instanceof Error ? thrown : new Error(String(thrown)));
    }
  };
}

function lineOf({ ts, kind, run, step, body }: JournalEntry, wanted: LogLevel): string[] {
  const [level, fields] = (lines[kind] as (of: typeof body) => Line)(body);
  if (logLevels.indexOf(level) > logLevels.indexOf(wanted)) return [];
  return [`${JSON.stringify({ ts, level, kind, run, step, ...fields })}\n`];
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Another process may do the same at the same time: what is gone was moved. */
function rotate(path: string): void {
  for (let at = oldFiles; at > 0; at -= 1) {
    const from = at === 1 ? path : `${path}.${at - 1}`;
    if (sizeOf(from) > 0) moveIfThere(from, `${path}.${at}`);
  }
}

function moveIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') throw thrown;
  }
}
