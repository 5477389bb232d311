import type { Command } from 'commander';
import { KernelError } from '../contracts/error.ts';
import { isObject, type Json, type JsonObject, type Tool } from '../contracts/tool.ts';
import type { Kernel } from '../kernel.ts';
import { shortenText } from '../lib/text/columns.ts';
import { shellWord } from '../lib/text/escape.ts';
import { oneLine, print, printJson } from './output.ts';
import { terminalColumns } from './style.ts';

const examples = `
Examples:
  cuervo tools                 every tool with its effect
  cuervo tools search.grep     what one takes
  cuervo tools --search "broken links"
  cuervo tools --plugin dist/wordcount.wasm
  cuervo tools --json
`;

export function addToolsCommand(program: Command): void {
  program
    .command('tools [name]')
    .description('list the tools, their effects, plugins and digests')
    .option('--search <goal>', 'those that have to do with a goal, best first')
    .option('--plugin <file>', 'those of a .wasm that is not installed')
    .option('--json', 'one object a line')
    .addHelpText('after', examples)
    .action(async (name: string | undefined, flags: ToolsFlags) => {
      const { openKernel } = await import('../kernel.ts');
      const { plugin: file, search } = flags;
      await using kernel = await openKernel(file === undefined ? {} : { plugins: [file] });
      const [tried] = kernel.plugins.tried();
      const all = search === undefined ? await kernel.tools() : await toolsFor(kernel, search);
      const tools = all.filter(({ plugin }) => tried === undefined || plugin === tried.name);
      const shown = name === undefined ? tools : tools.filter((tool) => matches(tool, name));
      if (shown.length === 0 && name !== undefined) {
        throw KernelError.unknownName(`there is no tool "${name}"`, {
          name,
          names: tools.flatMap((tool) => [tool.name, tool.plugin]),
          hint: 'See all of them with: cuervo tools',
        });
      }
      if (flags.json) for (const tool of shown) printJson(tool);
      else if (name !== undefined && shown.length === 1) printTool(shown[0] as Tool);
      else printTools(shown);
    });
}

type ToolsFlags = { json?: boolean; search?: string; plugin?: string };

/** Tools for a goal that can be looked over. */
const maxFound = 10;

export async function toolsFor(kernel: Kernel, goal: string): Promise<readonly Tool[]> {
  const choices = await kernel.searchTools(goal);
  if (choices.length > 0) return choices.slice(0, maxFound).map(({ tool }) => tool);
  throw new KernelError('not-found', `no tool has to do with "${goal}"`, {
    hint: 'See all of them with: cuervo tools',
  });
}

/** `list` is what people type who know other command lines. */
function matches(tool: Tool, name: string): boolean {
  return (
    name === 'list' ||
    tool.name === name ||
    tool.plugin === name ||
    tool.name === `${tool.plugin}.${name}`
  );
}

export function printTools(tools: readonly Tool[]): void {
  const width = Math.max(...tools.map((tool) => tool.name.length));
  const lines = tools.map((tool) => {
    const line = `${tool.name.padEnd(width)}  ${tool.effect.padEnd(8)}  ${tool.digest.slice(0, 8)}  `;
    const room = Math.max(20, (terminalColumns() ?? Number.POSITIVE_INFINITY) - line.length);
    return line + shortenText(oneLine(tool.description), room);
  });
  print(lines.join('\n'));
}

export function printTool(tool: Tool): void {
  print(`${tool.name}  (${tool.plugin} ${tool.pluginVersion}, effect ${tool.effect})`);
  print(`digest ${tool.digest}`);
  print('');
  print(oneLine(tool.description));
  print('');
  for (const line of inputLines(tool.inputSchema)) print(line);
  if (tool.examples.length > 0) print('\nExamples:');
  for (const example of tool.examples) {
    print(`  cuervo run ${tool.name} ${oneLine(shellWord(JSON.stringify(example)))}`);
  }
}

/** What a tool takes, a line for each field of its input's schema. */
export function inputLines(schema: JsonObject): string[] {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonObject>);
  if (properties.length === 0) {
    const isClosed = schema.additionalProperties === false;
    return [isClosed ? 'Input: {} (no fields)' : 'Input: an object; no fields are named'];
  }
  const required = (schema.required ?? []) as string[];
  const fields = properties.map(([field, each]) => {
    const need = required.includes(field) ? 'required' : 'optional';
    const left = each.default === undefined ? '' : `, else ${short(each.default)}`;
    const about = typeof each.description === 'string' ? `: ${each.description}` : '';
    return oneLine(`  ${field} (${typeOf(each)}, ${need}${left})${about}`);
  });
  return ['Input:', ...fields];
}

/** Allowed values that are shown. */
const maxChoices = 12;

/** Several types read as `integer or string`. */
function typeOf(schema: JsonObject): string {
  const { type, items } = schema;
  const constant = schema.const === undefined ? [] : [schema.const];
  const choices = Array.isArray(schema.enum) ? schema.enum : constant;
  if (choices.length > 0) return listed(choices.map(short));
  const inner = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(inner)) {
    const types = inner.map((each) => typeOf(each as JsonObject));
    return types.includes('any') ? 'any' : listed([...new Set(types)]);
  }
  if (typeof type !== 'string') return 'any';
  const item = type === 'array' && isObject(items) ? typeOf(items) : 'any';
  return item === 'any' ? type : `${type} of ${item}`;
}

function listed(names: readonly string[]): string {
  const more = names.length - maxChoices;
  const last = more > 0 ? `${more} more` : names.at(-1);
  const others = more > 0 ? names.slice(0, maxChoices) : names.slice(0, -1);
  return others.length === 0 ? `${last}` : `${others.join(', ')} or ${last}`;
}

/** JSON of a value, its beginning where it is long. */
function short(value: Json): string {
  const json = JSON.stringify(value);
  return json.length > 40 ? `${json.slice(0, 40)}…` : json;
}
