import type { ChangedRun } from '../contracts/output/parse-session.ts';
import { ageText, counted } from '../lib/text/amounts.ts';
import { shortenText } from '../lib/text/columns.ts';
import { oneLine } from './output.ts';
import { terminalColumns } from './style.ts';

/** Characters of a question; all of it is in `--json`. */
const maxQuestion = 160;

/** The question of a run, on one line. */
export function runWords({ command, question }: Pick<ChangedRun, 'command' | 'question'>): string {
  return shortenText(oneLine(`${command} ${question}`), maxQuestion);
}

/** A run for a person, with its effects that no undo takes back. @param status shown when given */
export function runText(row: ChangedRun, status?: string): string {
  const age = ageText(Date.now() - row.startedMs).padEnd(12);
  const how = status === undefined ? '' : `${status.padEnd(10)}  `;
  const undone = row.undoneMs === undefined ? '' : '  (undone)';
  const line = `${row.run}  ${age}  ${how}${counted(row.changes, 'change')}  ${runWords(row)}`;
  const columns = terminalColumns() ?? Number.POSITIVE_INFINITY;
  const lasting = row.lasting.map((text) => `\n  not undoable: ${oneLine(text)}`);
  return `${shortenText(line, columns - undone.length)}${undone}${lasting.join('')}`;
}
