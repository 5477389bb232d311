/**
 * How long reading the journal takes with a million events:
 *
 *     node tests/bench/journal.ts [EVENTS]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JournalEntry } from '../../src/contracts/journal.ts';
import { createVerifier, headText, openAuditKeys } from '../../src/journal/audit-keys.ts';
import { explainRun } from '../../src/journal/explain-run.ts';
import { exportAudit } from '../../src/journal/export-audit.ts';
import { sumUp } from '../../src/journal/sum-up.ts';
import { verifyAudit } from '../../src/journal/verify-audit.ts';
import { openStore } from '../../src/store/open-store.ts';

const total = Number(process.argv[2] ?? 1_000_000);
const eventsOfRun = 100;
const atOnce = 100_000;

const home = mkdtempSync(join(tmpdir(), 'cuervo-bench-journal-'));
process.on('exit', () => rmSync(home, { recursive: true, force: true }));
const keys = openAuditKeys(home);
using store = openStore({ path: join(home, 'cuervo.db'), auditKey: keys.chainKey });

function say<Value>(what: string, work: () => Value): Value {
  const startedMs = performance.now();
  const before = process.cpuUsage();
  const value = work();
  const ms = performance.now() - startedMs;
  const { user, system } = process.cpuUsage(before);
  const cpuMs = (user + system) / 1000;
  process.stdout.write(`${what.padEnd(34)} ${ms.toFixed(1)} ms, CPU ${cpuMs.toFixed(1)} ms\n`);
  return value;
}

const runOf = (at: number): string => `run${Math.floor(at / eventsOfRun)}`;
const entryOf = (at: number): JournalEntry => ({
  ...{ run: runOf(at), step: 's1', kind: 'host-call', ts: at },
  body: {
    ...{ call: 'fs.read-text', target: `src/file-${at % 1000}.ts`, outcome: 'ok', durationMs: 0.1 },
    ...{ bytes: 400, args: '["src/file.ts"]', answer: `{"value":"${'text '.repeat(40)}"}` },
  },
});

for (let from = 0; from < total; from += atOnce) {
  for (let at = from; at < from + atOnce; at += eventsOfRun)
    store.startRun({
      ...{ id: runOf(at), session: undefined, command: 'run', question: 'q', project: '/p' },
      ...{ model: 'none', status: 'ok', startedMs: at, finishedMs: at + 1 },
    });
  const entries = Array.from({ length: atOnce }, (_, at) => entryOf(from + at));
  if (from === 0 || from + atOnce === total)
    say(`a burst of ${atOnce} at ${from}`, () => store.addEvents(entries));
  else store.addEvents(entries);
}
keys.signHead(store, total);
const last = store.run(runOf(total - 1));
if (last === undefined) throw new Error('the last run is not there');
for (const time of ['first', 'again']) {
  say(`events of a run (runs show), ${time}`, () => store.events(last.id));
  say(`explain, ${time}`, () => explainRun(last, store.events(last.id)));
  say(`newest 50 runs (the page), ${time}`, () => store.changes.allRuns('/p', 50));
}
say('stats of all', () => sumUp(store, undefined));
say('runs with steps of a plugin', () => store.runsWithSteps('file', 5));
const report = say('verify', () =>
  verifyAudit({
    ...{ store, chainKey: keys.readChainKey(), headLines: keys.readHeads(), headText },
    isSigned: createVerifier(keys.publicKey()),
  }),
);
if (!report.whole) throw new Error('the journal is not whole');
const before = process.memoryUsage().rss;
let bytes = 0;
let most = before;
say('export as lines', () => {
  let lines = 0;
  for (const line of exportAudit(store, 'jsonl', keys.sign)) {
    bytes += line.length;
    lines += 1;
    if (lines % 10_000 === 0) most = Math.max(most, process.memoryUsage().rss);
  }
});
process.stdout.write(
  `export: ${(bytes / 2 ** 20).toFixed(0)} MiB, memory grew by ${((most - before) / 2 ** 20).toFixed(0)} MiB\n`,
);
