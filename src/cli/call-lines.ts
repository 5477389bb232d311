import type { EventOf, RunEvent } from '../contracts/events.ts';
import { shortenText } from '../lib/text/shorten-text.ts';
import { noteLine } from './output.ts';
import type { Progress } from './progress.ts';

const maxInput = 60;
const maxSummary = 80;

/** One line on standard error for each call of a model, and one for what all of it took. */
export type CallLines = { tell(event: RunEvent): void };

export function createCallLines(progress: Progress): CallLines {
  const inputs = new Map<string, string>();
  const tools = new Map<string, string>();
  let last: EventOf<'usage'> | undefined;
  return {
    tell: (event) => {
      if (event.type === 'plan') {
        for (const { id, input } of event.steps) inputs.set(id, inputText(input));
        for (const { id, tool } of event.steps) tools.set(id, tool);
      } else if (event.type === 'step-finished') {
        progress.clear();
        const { step, status, summary, durationMs } = event;
        const mark = status === 'ok' ? '' : `${status}: `;
        const what = `${tools.get(step) ?? step} ${inputs.get(step) ?? ''}`.trim();
        noteLine(
          `  ${what} → ${mark}${shortenText(summary, maxSummary)} (${secondsText(durationMs)})`,
        );
      } else if (event.type === 'usage') last = event;
      else if (event.type === 'answer' && last !== undefined)
        noteLine(`  ${spentText(last.spent)}`);
    },
  };
}

/** What a question took so far, e.g. `3 rounds, 12,431 tokens, $0.02, 8 s`. */
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

/** What a person needs to know which call it was. */
function inputText(input: Readonly<Record<string, unknown>>): string {
  const values = Object.values(input).map((value) =>
    typeof value === 'string' ? value : JSON.stringify(value),
  );
  return shortenText(values.join(' ').replace(/\s+/g, ' '), maxInput);
}
