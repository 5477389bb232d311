import { KernelError } from '../contracts/error.ts';
import type { RunEvent } from '../contracts/events.ts';
import { everyProject } from '../contracts/memory.ts';
import type { Effect, JsonObject } from '../contracts/tool.ts';
import type { Kernel, RunClient } from '../kernel.ts';
import { annotationsOf, type OfferedTool } from './offered-tools.ts';

/** What a call of one of cuervo's own tools may use. */
export type OwnCall = {
  kernel: Kernel;
  client: RunClient;
  signal: AbortSignal;
  /** ids of the runs that were made for this connection, oldest first */
  runs: readonly string[];
  askYesNo:
    | ((text: string, options: { signal: AbortSignal }) => Promise<boolean | undefined>)
    | undefined;
  /** Reads the events of a run to its end, and gives what it came to. */
  follow(events: AsyncGenerator<RunEvent, void, undefined>): Promise<RunEvent>;
};

export type OwnTool = {
  offered: OfferedTool;
  effect: Effect;
  /** @returns JSON */
  call(input: JsonObject, of: OwnCall): Promise<JsonObject>;
};

const maxHits = 20;
const maxRuns = 50;

const text = (description: string): JsonObject => ({ type: 'string', minLength: 1, description });

function own(
  name: string,
  effect: Effect,
  description: string,
  properties: Record<string, JsonObject>,
  required: string[],
  call: OwnTool['call'],
): OwnTool {
  const inputSchema = {
    type: 'object' as const,
    properties,
    required,
    additionalProperties: false,
  };
  const annotations = annotationsOf(effect, []);
  return { offered: { name, title: name, description, inputSchema, annotations }, effect, call };
}

/** cuervo's own tools, in the order of their names. */
export const ownTools: readonly OwnTool[] = [
  own(
    'ask',
    'read',
    'Answers a question about the workspace with passages: path, lines and text. No model is used. For where, how, what and why.',
    { question: text('in plain words') },
    ['question'],
    async ({ question }, { kernel, client, signal, follow }) => {
      const options = { isQuestion: true, client, signal };
      const event = await follow(kernel.ask(textOf(question, 'question'), options));
      if (event.type !== 'answer') return {};
      const passages = event.evidence.map(({ score: _, page, ...passage }) => ({
        ...passage,
        ...(page === undefined ? {} : { page }),
      }));
      const { notRead = [] } = event;
      const missed = notRead.map((each) => ({ ...each, paths: [...each.paths] }));
      return { answer: event.text, passages, ...(missed.length === 0 ? {} : { notRead: missed }) };
    },
  ),
  own(
    'memory_remember',
    'write',
    'Keeps one fact for later sessions, in one sentence that stands alone. A person is asked.',
    {
      text: text('the fact, one sentence'),
      replaces: text('words or id of a fact of this client that holds no longer'),
    },
    ['text'],
    async (input, { kernel, client, signal, askYesNo, follow }) => {
      const asked = askYesNo === undefined ? {} : { askYesNo };
      const event = await follow(kernel.remember({ input, client, ...asked }, { signal }));
      return event.type === 'result' ? { remembered: textOf(input.text, 'text') } : {};
    },
  ),
  own(
    'memory_search',
    'read',
    'Searches what cuervo remembers of this workspace: facts, notes, files that were read, earlier answers.',
    {
      query: text('words or a question'),
      limit: { type: 'integer', minimum: 1, maximum: maxHits, description: 'default 5' },
    },
    ['query'],
    async ({ query, limit = 5 }, { kernel, signal }) => {
      const memory = await kernel.memory();
      const most =
        typeof limit === 'number' ? Math.min(Math.max(1, Math.floor(limit)), maxHits) : 5;
      const projects = [kernel.config.workspace, everyProject];
      const words = await kernel.memoryCommands.questionOf(textOf(query, 'query'));
      const hits = await memory.search({ limit: most, projects, ...words }, { signal });
      return {
        hits: hits.map(({ id, layer, kind, text: said, source, ts }) => ({
          ...{ id: id.slice(0, 12), layer, kind, text: said },
          ...(source === undefined ? {} : { source }),
          at: new Date(ts).toISOString(),
        })),
      };
    },
  ),
  own(
    'plan',
    'read',
    'What ask would do for a question: steps, their tools and effects, and what is not granted. Runs nothing.',
    { question: text('in plain words') },
    ['question'],
    async ({ question }, { kernel }) => {
      const { steps, capabilities } = await kernel.plan(textOf(question, 'question'));
      return JSON.parse(JSON.stringify({ steps, capabilities })) as JsonObject;
    },
  ),
  own(
    'runs',
    'read',
    'Calls that were made over this connection, newest first, and how each ended. undo takes their ids.',
    {},
    [],
    async (_, { kernel, runs }) => {
      const rows = await kernel.undo.allRuns(Number.MAX_SAFE_INTEGER);
      const mine = new Set(runs);
      const shown = rows.filter(({ run }) => mine.has(run)).slice(0, maxRuns);
      return JSON.parse(JSON.stringify({ runs: shown })) as JsonObject;
    },
  ),
  own(
    'undo',
    'write',
    'Takes back what a call over this connection changed in files: the newest that stands, or one by its id.',
    { run: text('id of the run, as runs gives it') },
    [],
    async ({ run }, { kernel, runs }) => {
      const wanted = run === undefined ? await newestOf(kernel, runs) : textOf(run, 'run');
      // A person's runs, and those of other clients, are not this client's to take back.
      if (!runs.includes(wanted)) throw notOwn(wanted);
      const { paths, left, lasting } = await kernel.undo.undo(wanted);
      return JSON.parse(JSON.stringify({ run: wanted, paths, left, lasting })) as JsonObject;
    },
  ),
];

async function newestOf(kernel: Kernel, runs: readonly string[]): Promise<string> {
  const mine = new Set(runs);
  const changed = await kernel.undo.runs(Number.MAX_SAFE_INTEGER);
  const newest = changed.find(
    ({ run, undoneMs, changes }) => mine.has(run) && !undoneMs && changes > 0,
  );
  if (newest !== undefined) return newest.run;
  throw new KernelError('not-found', 'no call over this connection changed a file that stands');
}

function notOwn(run: string): KernelError {
  return new KernelError('not-found', `there is no run "${run.slice(0, 40)}" of this connection`, {
    hint: 'The ids are those that the tool runs gives. A person undoes any run with: cuervo undo ID',
  });
}

function textOf(value: unknown, name: string): string {
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw new KernelError('invalid-argument', `${name} is a text that is not empty`);
}
