import { toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import type { Plugin, Tool } from '../define-plugin.ts';
import type { PluginDescription } from './plugin-description.ts';

const kebab = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/**
 * Manifest and tool list of a definition; runs inside the bundle, where the schemas live.
 *
 * @throws {Error} that names the field to change
 */
export function describe(plugin: Plugin): PluginDescription {
  if (typeof plugin !== 'object' || plugin === null || !Array.isArray(plugin.tools)) {
    throw new Error('plugin.ts has to end in "export default definePlugin({ … })"');
  }
  checkName('name', plugin.name);
  if (plugin.tools.length === 0) throw new Error('"tools" is empty: a plugin offers at least one');
  const { name, version, description, licence, homepage, wants } = plugin;
  const manifest = {
    name,
    version,
    description,
    ...(licence === undefined ? {} : { licence }),
    ...(homepage === undefined ? {} : { homepage }),
    wants: wants ?? [],
  };
  return { manifest, tools: plugin.tools.map((tool) => describeTool(tool)) };
}

function describeTool(tool: Tool): PluginDescription['tools'][number] {
  checkName('a tool', tool.name);
  if (typeof tool.run !== 'function') throw new Error(`${tool.name}: "run" is not a function`);
  if (tool.run.constructor.name === 'AsyncFunction') {
    throw new Error(
      `${tool.name}: "run" is async; tools are plain functions, host calls are synchronous`,
    );
  }
  for (const example of tool.examples) {
    const parsed = v.safeParse(tool.input, example);
    if (!parsed.success) {
      throw new Error(
        `${tool.name}: the example ${JSON.stringify(example)} does not pass "input": ${parsed.issues[0].message}`,
      );
    }
  }
  const schema = toJsonSchema(tool.input as v.GenericSchema, {
    errorMode: 'ignore',
    typeMode: 'input',
  });
  const { $schema: _, ...rest } = schema as Record<string, unknown>;
  if (rest.type !== 'object') throw new Error(`${tool.name}: "input" is not an object schema`);
  return {
    name: tool.name,
    description: tool.description,
    // Unknown fields are refused before `run`, so the schema says so.
    inputSchema: JSON.stringify({ ...rest, additionalProperties: false }),
    effect: tool.effect,
    examples: tool.examples.map((example) => JSON.stringify(example)),
  };
}

function checkName(what: string, name: unknown): void {
  if (typeof name === 'string' && kebab.test(name) && name.length <= 64) return;
  throw new Error(
    `${what} is called ${JSON.stringify(name)}; a name is kebab-case, at most 64 characters`,
  );
}
