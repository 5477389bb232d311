import { KernelError } from '../contracts/error.ts';
import type { Effect, JsonObject } from '../contracts/tool.ts';
import { didYouMean } from '../lib/text/did-you-mean.ts';
import { annotationsOf, clientName, type OfferedTool } from './offered-tools.ts';
import type { ServedTool } from './served-tools.ts';
import type { TellResult } from './tell-result.ts';

const maxFound = 8;
/** Of a description in a list that is to be looked over. */
const maxSummary = 160;

/** The few tools by which a client finds and calls all others, so that their list stays short. */
export function compactTools(
  served: readonly ServedTool[],
  ports: { tell: TellResult; search(goal: string): Promise<readonly string[]> },
): ServedTool[] {
  const { tell, search } = ports;
  const find = (value: unknown): ServedTool => {
    const name = typeof value === 'string' ? value : '';
    const found = served.find(({ offered }) => offered.name === name || offered.title === name);
    if (found !== undefined) return found;
    const names = served.map(({ offered }) => offered.name);
    throw new KernelError('not-found', `there is no tool "${name}"${didYouMean(name, names)}`, {
      hint: 'See what there is with find_tools.',
    });
  };
  const answer =
    (name: string, value: (input: JsonObject) => Promise<JsonObject>): ServedTool['body'] =>
    (input) =>
    async ({ signal }) => {
      const content = JSON.stringify(await value(input));
      return await tell.result(name, content, { paths: [], isStructured: false, signal });
    };
  const isReading = served.every(({ offered }) => offered.annotations.readOnlyHint);
  const script =
    served.find(({ offered }) => offered.name === 'script_run') ??
    served.find(({ offered }) => offered.name === 'script_read');
  return [
    {
      offered: tool(
        'call_tool',
        isReading ? 'read' : 'external',
        'Calls a tool that find_tools named, with the input that describe_tool shows.',
        { name: { type: 'string' }, input: { type: 'object' } },
        ['name'],
      ),
      body: ({ name, input = {} }, of) => find(name).body(objectOf(input), of),
    },
    {
      offered: tool(
        'describe_tool',
        'pure',
        'The description of a tool, the JSON Schema of its input, and what it may do.',
        { name: { type: 'string' } },
        ['name'],
      ),
      body: answer(
        'describe_tool',
        async ({ name }) => find(name).offered as unknown as JsonObject,
      ),
    },
    {
      offered: tool(
        'find_tools',
        'pure',
        'Tools for a goal, best first: files, search and definitions of code, git, programs and tests, the web, memory, undo, and what was installed.',
        { query: { type: 'string', description: 'what is to be done, in plain words' } },
        ['query'],
      ),
      body: answer('find_tools', async ({ query }) => {
        const goal = typeof query === 'string' ? query : '';
        const names = (await search(goal)).map(clientName);
        const words = goal.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
        const byWords = served.filter(({ offered: { name, title } }) =>
          name === title ? words.some((word) => name.includes(word)) : false,
        );
        const found = names.flatMap((name) =>
          served.filter(({ offered }) => offered.name === name),
        );
        const shown = [...byWords, ...found].slice(0, maxFound);
        return {
          tools: shown.map(({ offered: { name, description } }) => ({
            name,
            description: description.slice(0, maxSummary),
          })),
          of: served.length,
        };
      }),
    },
    ...(script === undefined ? [] : [runScript(script)]),
  ];
}

/** Many calls in one, which the client's model writes down instead of making them. */
function runScript({ offered, body }: ServedTool): ServedTool {
  const { annotations } = offered;
  const told = tool(
    'run_script',
    'external',
    'Runs JavaScript that calls several tools, in place of as many calls: the body of an async function. tools.file.read({path: "a.md"}) gives the parsed result of the tool file_read and throws an error with a code; tools.all([{tool: "search.grep", input: {…}}, …]) reads side by side; tools.find("goal") names tools. `input` is what was given, return gives the result. Nothing else is there. Each call is checked like a direct one.',
    { code: { type: 'string' }, input: { description: 'any JSON' } },
    ['code'],
  );
  return { offered: { ...told, annotations }, body };
}

function tool(
  name: string,
  effect: Effect,
  description: string,
  properties: Record<string, JsonObject>,
  required: string[],
): OfferedTool {
  const inputSchema = { type: 'object' as const, properties, required };
  return { name, title: name, description, inputSchema, annotations: annotationsOf(effect, []) };
}

function objectOf(value: unknown): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as JsonObject;
  throw new KernelError('invalid-argument', 'input is an object', {
    hint: 'See its fields with describe_tool.',
  });
}
