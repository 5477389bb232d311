import { everyProject } from '../../contracts/memory.ts';
import { dateText } from '../../lib/text/amounts.ts';
import { factText } from '../../lib/text/columns.ts';
import type { AskPorts } from './ask-ports.ts';

/** A screen of them; the rest is one command away. */
const shownFacts = 15;

/** Facts of the person for this workspace and for all, the newest first, as far as they hold. */
export function listFacts({ store, config, clock }: AskPorts): string {
  const rows = store.memoryJournal.book
    .facts([config.workspace, everyProject])
    .filter(({ record }) => record.kind !== 'model')
    .sort((one, other) => other.record.ts - one.record.ts);
  if (rows.length === 0) return "Nothing was told yet. Begin with: cuervo ask 'remember that …'";
  const nowMs = clock.nowMs();
  const shown = rows.slice(0, shownFacts);
  const lines = shown.map(({ record: { text, ts, project } }) => {
    const where = project === everyProject ? ', in every workspace' : '';
    return `  ${factText(text)} (${dateText(ts, nowMs)}${where})`;
  });
  const more = rows.length - shown.length;
  const all = `${more > 0 ? `${more} more. ` : ''}See all of memory with: cuervo memory list`;
  return ['You told:', ...lines, all].join('\n');
}
