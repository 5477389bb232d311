import { toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import type { Plugin, Tool } from '../define-plugin.ts';
import { strictSchema } from '../guest/strict-schema.ts';
import { reasonOf } from '../guest/unknown-fields.ts';
import type { PluginDescription } from './plugin-description.ts';

const pluginFields = 'name version description licence homepage wants limits tools'.split(' ');
const toolFields = 'name description effect input output examples run'.split(' ');

const effects: readonly Tool['effect'][] = ['pure', 'read', 'write', 'external'];

const kebab = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/**
 * Manifest and tool list of a definition; runs inside the bundle, where the schemas live.
 *
 * @throws {Error} that names the field to change
 */
export function describe(plugin: Plugin): PluginDescription {
  if (typeof plugin !== 'object' || plugin === null || !Array.isArray(plugin.tools)) {
    throw new Error('plugin.ts (or plugin.js) has to end in "export default definePlugin({ … })"');
  }
  checkFields('the plugin', plugin, pluginFields);
  if (plugin.name === undefined) throw missing('the plugin', 'name');
  checkName('name', plugin.name);
  checkText('the plugin', 'version', plugin.version);
  checkText('the plugin', 'description', plugin.description);
  checkWants(plugin.wants);
  if (plugin.tools.length === 0) throw new Error('"tools" is empty: a plugin offers at least one');
  const { name, version, description, licence, homepage, wants, limits } = plugin;
  const manifest = {
    name,
    version,
    description,
    ...(licence === undefined ? {} : { licence }),
    ...(homepage === undefined ? {} : { homepage }),
    wants,
    ...(limits === undefined ? {} : { limits }),
  };
  return { manifest, tools: plugin.tools.map(describeTool) };
}

function describeTool(tool: Tool, index: number): PluginDescription['tools'][number] {
  if (typeof tool !== 'object' || tool === null)
    throw new Error(`tools[${index}] is not an object`);
  checkFields(tool.name ?? `tools[${index}]`, tool, toolFields);
  if (tool.name === undefined) throw missing(`tools[${index}]`, 'name');
  checkName('a tool', tool.name);
  checkText(tool.name, 'description', tool.description);
  if (tool.effect === undefined) throw missing(tool.name, 'effect');
  if (!effects.includes(tool.effect)) {
    throw new Error(
      `${tool.name}: "effect" is ${JSON.stringify(tool.effect)}, not one of ${effects.join(', ')}`,
    );
  }
  if (tool.input === undefined) throw missing(tool.name, 'input');
  if (tool.input?.kind !== 'schema') {
    throw new Error(`${tool.name}: "input" is not a valibot schema, such as v.object({ … })`);
  }
  if (tool.examples === undefined) throw missing(tool.name, 'examples');
  if (!Array.isArray(tool.examples)) {
    throw new Error(`${tool.name}: "examples" is not a list of inputs`);
  }
  if (tool.run === undefined) throw missing(tool.name, 'run');
  if (typeof tool.run !== 'function') throw new Error(`${tool.name}: "run" is not a function`);
  if (isAsync(tool.input)) {
    throw new Error(`${tool.name}: "input" has an async schema; an input is checked at once`);
  }
  const input = inputOf(tool);
  const output = outputOf(tool);
  const examples = tool.examples.map((example) => describeExample(tool, input.schema, example));
  const { $schema: _, ...json } = input.json;
  if (json.type !== 'object') throw new Error(`${tool.name}: ${whyNoObject(tool.input)}`);
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: JSON.stringify(json),
    ...(output === undefined ? {} : { outputSchema: output }),
    effect: tool.effect,
    examples,
  };
}

/** Models and the command line give an object with named fields. */
function whyNoObject({ type }: v.GenericSchema): string {
  const name = `v.${type.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())}`;
  const advice: Readonly<Record<string, string>> = {
    intersect: 'write v.object({ ...first.entries, ...second.entries }) of its parts',
    lazy: 'write the v.object(…) itself, and v.lazy where it holds itself',
  };
  const instead = advice[type] ?? `put it into a field: v.object({ value: ${name}(…) })`;
  return `"input" is ${name}, not an object schema: ${instead}`;
}

/** The schema that an input has to pass, and its JSON Schema. */
function inputOf({ name, input }: Tool): {
  schema: v.GenericSchema;
  json: { [key: string]: unknown };
} {
  try {
    const schema = strictSchema(input);
    return {
      schema,
      json: { ...toJsonSchema(schema, { errorMode: 'ignore', typeMode: 'input' }) },
    };
  } catch (thrown) {
    // The stack came to its end.
    if (!(thrown instanceof RangeError)) throw thrown;
    const reason = `${name}: "input" holds itself: put v.lazy(() => …) around it where it does`;
    throw new Error(reason, { cause: thrown });
  }
}

/** JSON Schema of the content, where the author gave one. */
function outputOf({ name, output }: Tool): string | undefined {
  if (output === undefined) return undefined;
  if (output?.kind !== 'schema') {
    throw new Error(`${name}: "output" is not a valibot schema, such as v.object({ … })`);
  }
  try {
    const { $schema: _, ...json } = toJsonSchema(output, {
      errorMode: 'ignore',
      typeMode: 'output',
    });
    return JSON.stringify(json);
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    const reason = `${name}: "output" holds itself: put v.lazy(() => …) around it where it does`;
    throw new Error(reason, { cause: thrown });
  }
}

/** What a schema may hold others in. */
type Part = {
  async?: unknown;
  entries?: object;
  pipe?: readonly unknown[];
  items?: readonly unknown[];
  options?: readonly unknown[];
} & Partial<Record<'item' | 'wrapped' | 'rest' | 'key' | 'value', unknown>>;

/** At any depth: the promise of it would count as a value that passed. */
function isAsync(part: unknown, seen = new Set<unknown>()): boolean {
  if (typeof part !== 'object' || part === null || seen.has(part)) return false;
  seen.add(part);
  const { async, entries = {}, pipe = [], items = [], options = [], ...others }: Part = part;
  const { item, wrapped, rest, key, value } = others;
  const inner = [item, wrapped, rest, key, value, ...pipe, ...items, ...options];
  return async === true || [...inner, ...Object.values(entries)].some((one) => isAsync(one, seen));
}

/** The JSON of an example. It passes as it will arrive: a `Date` as a text. */
function describeExample(tool: Tool, schema: v.GenericSchema, example: unknown): string {
  let json: string | undefined;
  try {
    json = JSON.stringify(example);
  } catch {
    // A cycle or a bigint: told below.
  }
  if (json === undefined) throw new Error(`${tool.name}: an example is not JSON`);
  const parsed = v.safeParse(schema, JSON.parse(json));
  if (parsed.success) return json;
  const reason = reasonOf(tool.name, parsed.issues[0]);
  throw new Error(`${tool.name}: the example ${json} does not pass "input": ${reason}`);
}

function checkWants(wants: unknown): void {
  if (wants === undefined) throw missing('the plugin', 'wants');
  if (!Array.isArray(wants)) throw new Error('"wants" is not a list, such as []');
  wants.forEach((want, index) => {
    checkFields(`wants[${index}]`, want ?? {}, ['capability', 'why']);
    checkText(`wants[${index}]`, 'capability', want?.capability);
    checkText(`wants[${index}]`, 'why', want?.why);
  });
}

/** A field that nothing reads was meant to be another one. */
function checkFields(owner: string, given: object, known: readonly string[]): void {
  const stray = Object.keys(given).find((field) => !known.includes(field));
  if (stray === undefined) return;
  const left = known.filter((field) => !(field in given));
  const meant = left.length === 0 ? '' : `: is it ${left.map((each) => `"${each}"`).join(' or ')}?`;
  throw new Error(`${owner} has the unknown field "${stray}"${meant}`);
}

function checkText(owner: string, field: string, value: unknown): void {
  if (value === undefined) throw missing(owner, field);
  if (typeof value === 'string' && value.trim() !== '') return;
  throw new Error(`${owner}: "${field}" is ${JSON.stringify(value)}, not text`);
}

function missing(owner: string, field: string): Error {
  return new Error(`${owner} has no "${field}"`);
}

function checkName(what: string, name: unknown): void {
  if (typeof name === 'string' && kebab.test(name) && name.length <= 64) return;
  throw new Error(
    `${what} is called ${JSON.stringify(name)}; a name is kebab-case, at most 64 characters`,
  );
}
