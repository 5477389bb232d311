import type { ReplayedStep, ReplayReport } from '../contracts/output/parse-journal.ts';
import { counted } from '../lib/text/amounts.ts';
import { shortenText } from '../lib/text/columns.ts';
import { oneLine } from './output.ts';

/** Characters of a value; all of it is in `--json`. */
const maxValue = 120;

/** A replay for a person: a line for each step, and below it what differs. */
export function replayText({ run, alike, steps }: ReplayReport): string {
  const times = (which: 'recordedMs' | 'replayedMs'): number =>
    steps.reduce((sum, step) => sum + (step[which] ?? 0), 0);
  const took = `${times('replayedMs')} ms, then ${times('recordedMs')} ms`;
  if (steps.length === 0) return `${run}: it called no tool of a plugin`;
  const end = alike ? 'every step came to the same' : 'not every step came to the same';
  return [...steps.map(stepText), `${run}: ${end} (${took})`].join('\n');
}

/** The same of a model's rounds. */
export function modelReplayText({ run, alike, steps }: ReplayReport): string {
  if (steps.length === 0) return `${run}: its model called no tool, then and now`;
  const end = alike ? 'the model would call the same' : 'the model would not call the same';
  return [...steps.map(stepText), `${run}: ${end}`].join('\n');
}

function stepText({ step, tool, outcome, calls, differences, why }: ReplayedStep): string {
  const made = calls === 0 ? '' : `, ${counted(calls, 'host call')}`;
  const head = `${step.padEnd(4)}  ${outcome.padEnd(12)}  ${tool}${made}`;
  const lines = differences.map(
    ({ at, field, recorded, replayed }) =>
      `      ${at}, ${oneLine(field)}: then ${shown(recorded)}, now ${shown(replayed)}`,
  );
  return [why === undefined ? head : `${head}: ${oneLine(why)}`, ...lines].join('\n');
}

function shown(value: unknown): string {
  return value === null ? 'nothing' : shortenText(oneLine(JSON.stringify(value)), maxValue);
}
