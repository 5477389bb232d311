import type { Say } from '../../contracts/agent.ts';
import { KernelError } from '../../contracts/error.ts';
import { rememberTool } from '../../contracts/kernel-tools.ts';
import type { MemoryRow } from '../../contracts/memory.ts';
import type { JsonObject, ToolOutput } from '../../contracts/tool.ts';
import { factText } from '../../lib/text/columns.ts';
import { type FactPorts, factsFor, nearestTo, quoted, saysYes, writeFact } from './write-fact.ts';

/** The question to the person shows the whole text; a longer text belongs into a file. */
const maxCharacters = 500;
const namedFacts = 3;

/**
 * Keeps what a model wants remembered, as its words and never as the person's. A person is asked
 * unless this run was started with `--allow memory`; a fact that a person told ends only with a yes.
 *
 * @param options.client name of the program that the run is for; its fact is its own
 * @param options.mayRemember this run was started with a grant of memory
 * @throws {KernelError} `permission-denied` where nobody says yes
 */
export async function keepForModel(
  input: JsonObject,
  {
    model,
    client,
    mayRemember,
  }: { model: string; client?: string | undefined; mayRemember: boolean },
  ports: FactPorts,
): Promise<ToolOutput> {
  const { text, replaces } = input;
  if (typeof text !== 'string' || text.trim() === '' || text.length > maxCharacters) {
    throw new KernelError(
      'invalid-argument',
      `text is a sentence of 1 to ${maxCharacters} characters`,
    );
  }
  const fact = text.trim();
  const older = typeof replaces === 'string' ? await namedFact(replaces, ports) : undefined;
  const isOfPerson = older !== undefined && !isOfAsker(older, client);
  if (isOfPerson && client !== undefined) throw notOwn(older);
  if (!mayRemember || isOfPerson) {
    const place = older === undefined ? '' : ` in place of ${quoted(older.record)}`;
    const isAllowed = await saysYes(
      `${model} wants to remember ${JSON.stringify(fact)}${place}. Keep it?`,
      ports,
    );
    if (!isAllowed) throw refused(ports.say, isOfPerson);
  }
  const scope = older?.record.scope ?? 'project';
  const tags = client === undefined ? [] : [tagOf(client)];
  const kept = { text: fact, kind: 'model' as const, scope, tags };
  await writeFact(kept, older === undefined ? [] : [older], ports);
  const summary = `remembered: ${factText(fact)}`;
  return { content: JSON.stringify({ remembered: fact }), summary };
}

function refused({ askYesNo }: Say, isOfPerson: boolean): KernelError {
  if (askYesNo !== undefined) {
    return new KernelError('permission-denied', 'the person does not want this remembered');
  }
  return isOfPerson
    ? new KernelError('permission-denied', 'a fact of the person is replaced only by their yes', {
        hint: 'Ask at a terminal, or replace it yourself with: cuervo memory edit ID TEXT',
      })
    : new KernelError('permission-denied', `${rememberTool.name} needs a person's yes`, {
        hint: 'Ask at a terminal, or allow it for one run with: --allow memory',
      });
}

/** A client may replace only its own facts. Without a client, any fact kept for a model. */
function isOfAsker({ record }: MemoryRow, client: string | undefined): boolean {
  if (record.kind !== 'model') return false;
  return client === undefined || record.tags.includes(tagOf(client));
}

const tagOf = (client: string): string => `client:${client}`;

function notOwn({ record }: MemoryRow): KernelError {
  return new KernelError(
    'permission-denied',
    `${quoted(record)} is no fact of this client, and a client replaces only its own`,
    { hint: 'A person replaces it with: cuervo memory edit ID TEXT' },
  );
}

/** By the beginning of its id, or by its words. */
async function namedFact(said: string, ports: FactPorts): Promise<MemoryRow> {
  const facts = await factsFor('project', ports);
  const byId = /^[0-9a-f]{8,}$/.test(said)
    ? facts.find(({ id }) => id.startsWith(said))
    : undefined;
  const near = nearestTo(said, facts, ports);
  const [found = byId, next] = byId === undefined ? near : [byId];
  if (
    found !== undefined &&
    (byId !== undefined || next === undefined || said === found.record.text)
  ) {
    return found;
  }
  const known = near.length === 0 ? facts : near;
  const named = known
    .slice(0, namedFacts)
    .map(({ id, record }) => `${id.slice(0, 12)} ${quoted(record)}`);
  throw new KernelError(
    'not-found',
    `replaces "${factText(said)}" names no single fact; there is ${named.join('; ') || 'none'}`,
  );
}
