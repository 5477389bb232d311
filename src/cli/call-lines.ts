import type { EventOf, RunEvent } from '../contracts/events.ts';
import { taskTool } from '../contracts/kernel-tools.ts';
import { counted } from '../lib/text/amounts.ts';
import { columnsOf, shortenText } from '../lib/text/columns.ts';
import { note, noteLine, oneLine } from './output.ts';
import type { Progress } from './progress.ts';

const maxInput = 60;
const maxSummary = 80;
/** Share of a terminal line that the input of a call may take. */
const inputShare = 0.4;

/** A line on standard error for each call of a model, and one for the total. */
export type CallLines = { tell(event: RunEvent): void };

export function createCallLines(progress: Progress): CallLines {
  const inputs = new Map<string, string>();
  const tools = new Map<string, string>();
  let last: EventOf<'usage'> | undefined;
  let kept = 0;
  return {
    tell: (event) => {
      if (event.type === 'plan') {
        for (const { id, input } of event.steps) inputs.set(id, inputText(input));
        for (const { id, tool } of event.steps) tools.set(id, tool);
      } else if (event.type === 'step-finished') {
        progress.clear();
        const { step, status, summary, durationMs } = event;
        // What a sub-task calls is its own affair; `runs show` has it.
        const [root = ''] = step.split('.', 1);
        if (root !== step && tools.get(root) === taskTool.name) return;
        const mark = status === 'ok' ? '' : `${status}: `;
        const head = `  ${tools.get(step) ?? step}`;
        const tail = ` (${secondsText(durationMs)})`;
        // A line of its own: what does not fit is cut, and never the time.
        const room =
          (process.stderr.columns ?? Infinity) - columnsOf(`${head} → ${mark}${tail}`) - 1;
        const given = inputs.get(step) ?? '';
        const most = Math.min(maxInput, Math.max(0, Math.floor(room * inputShare)));
        const input = given === '' || most < 4 ? '' : ` ${shortenText(given, most)}`;
        const rest = Math.min(maxSummary, Math.max(4, room - columnsOf(input)));
        noteLine(`${head}${input} → ${mark}${shortenText(oneLine(summary), rest)}${tail}`);
      } else if (event.type === 'usage') {
        last = event;
        if (event.attempts === 0) kept += 1;
      } else if (event.type === 'answer' && last !== undefined) {
        const cached = kept === 0 ? '' : `, ${counted(kept, 'round')} of them kept from before`;
        noteLine(`  ${spentText(last.spent)}${cached}`);
      }
    },
  };
}

/** What a question has used so far, e.g. `3 rounds, 12,431 tokens, $0.02, 8 s`. */
export function spentText({ rounds, tokens, usd, durationMs }: EventOf<'usage'>['spent']): string {
  const parts = [
    `${rounds} ${rounds === 1 ? 'round' : 'rounds'}`,
    `${tokens.toLocaleString('en')} tokens`,
    ...(usd === undefined || usd === 0 ? [] : [`$${usd < 0.01 ? usd.toFixed(4) : usd.toFixed(2)}`]),
    secondsText(durationMs),
  ];
  return parts.join(', ');
}

function secondsText(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

function isReference(value: unknown): boolean {
  return typeof value === 'object' && value !== null && '$from' in value;
}

/** The input in a few words, enough to tell which call it was. */
function inputText(input: Readonly<Record<string, unknown>>): string {
  const values = Object.values(input).flatMap((value) => {
    if (typeof value === 'string') return [value];
    // Switches say nothing without their names, and what comes from an earlier step stands there.
    return typeof value === 'boolean' || isReference(value) ? [] : [JSON.stringify(value)];
  });
  return oneLine(values.join(' ').replace(/\s+/g, ' ').trim());
}

type Told = Pick<EventOf<'guard'>, 'point' | 'check' | 'action' | 'counts' | 'source'>;

export function guardLine({ check, action, counts, source }: Told): string {
  const kinds = Object.entries(counts)
    .map(([kind, count]) => (count === 1 ? kind : `${count} × ${kind}`))
    .join(', ');
  const where = source === undefined ? '' : ` (${source})`;
  return oneLine(`${said[`${check} ${action}`] ?? `${check} ${action}`}: ${kinds}${where}`);
}

const said: Readonly<Record<string, string>> = {
  'secret redacted': 'not sent',
  'personal-data redacted': 'replaced before it is sent',
  'hidden-text escaped': 'hidden characters are shown to the model',
  'delimiter escaped': 'text that pretends to end a message is escaped',
  'orders flagged': 'text that reads like an order, passed on as data',
  'echo redacted': 'removed from the answer',
  'echo refused': 'a call was not made: it would carry a secret',
  'link withheld': 'an address in the answer would carry data away',
  'stand-in restored': 'put back into a call',
  'stand-in refused':
    'a call was not made: it has a placeholder for something that stays on this machine',
};

export function tellGuard(event: Told): void {
  note(`note: ${guardLine(event)}`);
}
