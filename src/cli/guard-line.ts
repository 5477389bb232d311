import type { EventOf } from '../contracts/events.ts';
import { note, oneLine } from './output.ts';

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
