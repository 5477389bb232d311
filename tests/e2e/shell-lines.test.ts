import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openKernel } from '../../src/kernel.ts';
import { openPlace } from '../support/place.ts';
import { runMany } from '../support/run-many.ts';

/** One line of a shell, what becomes of it, and what it gives where it runs. */
type Row = {
  line: string;
  decision: 'allow' | 'ask' | 'deny';
  /** stands in the reason; alternatives parted by `|` */
  reason: string;
  /** what is granted when it runs; nothing else is */
  allow?: string[];
  /** what `shell.run` gives; `stderr` is empty where it is not named */
  ran?: { exitCode: number; stdout: string; stderr?: string; cwd?: string };
  /** exit code of the command line, and a part of what it says */
  error?: [code: number, message: string];
};

const rows = readFileSync(join(import.meta.dirname, '../fixtures/shell-lines.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((text): Row => JSON.parse(text));

const files = {
  'src/a.txt': 'one TODO\ntwo\n',
  'src/b.ts': 'export {};\n',
  'src/run.sh': '#!/bin/sh\n',
  'b c.txt': 'three TODO\n',
  '-n.txt': 'dash\n',
  '.env': 'KEY=1\n',
};
/** Programs are called by their whole path, and some say it. */
const plain = (value: unknown) =>
  typeof value === 'string' ? value.replaceAll('/usr/bin/', '') : value;
const hasSandbox = process.platform !== 'linux' || existsSync('/usr/bin/bwrap');

describe(`the ${rows.length} lines of tests/fixtures/shell-lines.jsonl`, () => {
  it('are judged as the table says', async () => {
    using place = openPlace(files);
    await using kernel = await openKernel({ home: place.home, workspace: place.work });
    const wrong: unknown[] = [];
    for (const { line, decision, reason } of rows) {
      const tested = await kernel.policy.test(line, { signal: new AbortController().signal });
      const isSaid = reason.split('|').some((part) => tested.reason.includes(part));
      if (tested.decision !== decision || !isSaid)
        wrong.push({ ...tested, wanted: [decision, reason] });
    }
    expect(wrong).toEqual([]);
  });

  it.skipIf(!hasSandbox)(
    'give what the table says where they run (needs: apt-get install bubblewrap)',
    async () => {
      const wrong: unknown[] = [];
      const groups = Map.groupBy(rows, ({ allow = [] }) => allow.join(' '));
      for (const [allow, group] of groups) {
        using place = openPlace(files);
        const inputs = group.map(({ line }) => ({ command: line }));
        const granted = ['fs:work', ...allow.split(' ').filter(Boolean)];
        const ended = await runMany(place, 'shell.run', inputs, granted);
        for (const [at, row] of group.entries()) {
          const { exit, message = '', content } = ended[at] ?? { exit: -1 };
          const given = { exit, message, content };
          if (row.ran !== undefined) {
            const wanted = row.ran.exitCode === 127 ? row.ran : { stderr: '', ...row.ran };
            const same =
              exit === ((row.ran.exitCode ?? 0) === 0 ? 0 : 1) &&
              Object.entries(wanted).every(
                ([key, value]) => plain((content as Record<string, unknown>)?.[key]) === value,
              );
            if (!same) wrong.push({ line: row.line, given, wanted });
          } else if (row.error !== undefined) {
            const [code, text] = row.error;
            if (exit !== code || !message.includes(text))
              wrong.push({ line: row.line, given, wanted: row.error });
          }
        }
      }
      expect(wrong).toEqual([]);
    },
  );
});
