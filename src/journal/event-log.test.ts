import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { JournalEntry } from '../contracts/journal.ts';
import { openEventLog } from './event-log.ts';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'cuervo-log-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const fail = (error: Error): never => {
  throw error;
};
const call: JournalEntry = {
  ...{ run: 'r1', step: 's1', kind: 'host-call', ts: 1 },
  body: { call: 'fs.read-text', target: 'work:secret-plan.txt', outcome: 'denied', durationMs: 2 },
};
const ended: JournalEntry = {
  ...{ run: 'r1', kind: 'run-finished', ts: 2, body: { status: 'ok', durationMs: 3 } },
};
const failed: JournalEntry = {
  ...{ run: 'r1', kind: 'error', ts: 3 },
  body: { code: 'not-found', message: 'no file secret-plan.txt', hint: '' },
};
const linesOf = (name: string): string[] =>
  readFileSync(join(home, 'logs', name), 'utf8')
    .trimEnd()
    .split('\n');

it.each([
  ['debug', ['warn', 'info', 'error']],
  ['info', ['warn', 'info', 'error']],
  ['warn', ['warn', 'error']],
  ['error', ['error']],
] as const)('openEventLog() at %s writes lines of JSON, without words', (level, told) => {
  openEventLog(home, level, fail)?.([call, ended, failed]);
  const lines = linesOf('events.log').map((line) => JSON.parse(line) as object);
  expect(lines).toMatchObject(told.map((each) => ({ level: each, run: 'r1' })));
  if (level === 'debug')
    expect(lines[0]).toEqual({
      ...{ ts: 1, level: 'warn', kind: 'host-call', run: 'r1', step: 's1' },
      ...{ call: 'fs.read-text', outcome: 'denied', durationMs: 2 },
    });
  expect(linesOf('events.log').join('\n')).not.toContain('secret-plan');
  expect(statSync(join(home, 'logs', 'events.log')).mode & 0o777).toBe(0o600);
});

it('openEventLog() keeps four files, the newest first', () => {
  const log = openEventLog(home, 'info', fail);
  for (let file = 1; file <= 6; file += 1) {
    log?.([{ ...ended, ts: file }]);
    const path = join(home, 'logs', 'events.log');
    writeFileSync(path, `${readFileSync(path, 'utf8')}${'\n'.repeat(4 * 1024 ** 2)}`);
  }
  log?.([{ ...ended, ts: 7 }]);
  const names = ['events.log', 'events.log.1', 'events.log.2', 'events.log.3'];
  expect(readdirSync(join(home, 'logs')).toSorted()).toEqual(names);
  expect(names.map((name) => JSON.parse(linesOf(name)[0] ?? '').ts)).toEqual([7, 6, 5, 4]);
});

it('openEventLog() says what it cannot write, and writes nothing where it is off', () => {
  expect(openEventLog(home, 'off', fail)).toBe(undefined);
  writeFileSync(join(home, 'logs'), 'a file, not a folder');
  const errors: string[] = [];
  openEventLog(home, 'info', ({ message }) => errors.push(message))?.([ended]);
  expect(errors).toHaveLength(1);
});
