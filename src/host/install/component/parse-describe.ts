import * as v from 'valibot';
import { type Effect, effects, type JsonObject } from '../../../contracts/tool.ts';
import { firstUnprintable, quoteText } from '../../../lib/text/printable.ts';
import { fault } from './byte-reader.ts';
import { parseJsonObject } from './parse-json.ts';

const maxTools = 100;
const maxNameLength = 64;
const maxDescriptionLength = 4_000;
const maxSchemaBytes = 64 * 1024;
const maxExamples = 20;
const maxExampleBytes = 16 * 1024;

/** A tool in its plugin's own words, checked. */
export type ToolDescription = {
  /** kebab-case, unique in the plugin, without the plugin's name */
  name: string;
  description: string;
  inputSchema: JsonObject;
  outputSchema?: JsonObject;
  effect: Effect;
  examples: JsonObject[];
};

const toolSchema = v.object({
  name: v.string(),
  description: v.string(),
  inputSchema: v.string(),
  outputSchema: v.optional(v.string()),
  effect: v.picklist(effects),
  examples: v.array(v.string()),
});

/**
 * What `describe()` of an untrusted plugin returned, or its manifest says.
 *
 * @param who says it
 * @throws {KernelError} `plugin-fault` that names the tool and the field; also when there is no tool
 */
export function parseDescribe(
  value: unknown,
  who: 'describe()' | 'list-tools' | 'manifest' = 'describe()',
): ToolDescription[] {
  if (!Array.isArray(value)) throw fault(`${who} returned no list of tools`);
  if (value.length === 0) throw fault(`${who} names no tool: a plugin offers at least one`);
  if (value.length > maxTools) {
    throw fault(`${who} names ${value.length} tools, limit ${maxTools}`);
  }
  const names = new Set<string>();
  return value.map((item: unknown, index) => {
    const tool = parseTool(item, `tools[${index}]`, who);
    if (names.has(tool.name)) throw fault(`${who} names the tool ${tool.name} twice`);
    names.add(tool.name);
    return tool;
  });
}

function parseTool(item: unknown, where: string, who: string): ToolDescription {
  const parsed = v.safeParse(toolSchema, item, { abortEarly: true });
  if (!parsed.success) {
    const field = parsed.issues[0].path?.map(({ key }) => `.${String(key)}`).join('') ?? '';
    throw fault(`${who}: ${where}${field} is missing or of the wrong type`);
  }
  const { name, description, inputSchema, outputSchema, effect, examples } = parsed.output;
  if (name.length > maxNameLength || !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
    throw fault(
      `${who}: ${where}.name is ${quoteText(name)}, not kebab-case of at most ${maxNameLength} characters`,
    );
  }
  const tool = `tool ${name}`;
  if (description.trim() === '') throw fault(`${who}: ${tool} has no description`);
  if (description.length > maxDescriptionLength) {
    throw fault(
      `${who}: description of ${tool} has ${description.length} characters, limit ${maxDescriptionLength}`,
    );
  }
  // Descriptions may have paragraphs; everything else that is invisible stays out.
  const bad = firstUnprintable(description.replaceAll('\n', ' '));
  if (bad !== undefined) {
    throw fault(`${who}: description of ${tool} holds the unprintable character ${bad}`);
  }
  if (examples.length > maxExamples) {
    throw fault(`${who}: ${tool} has ${examples.length} examples, limit ${maxExamples}`);
  }
  return {
    name,
    description,
    inputSchema: parseSchema(inputSchema, `${who}: input-schema of ${tool}`, true),
    ...(outputSchema === undefined
      ? {}
      : { outputSchema: parseSchema(outputSchema, `${who}: output-schema of ${tool}`, false) }),
    effect,
    examples: examples.map((example, index) =>
      parseJsonObject(example, `${who}: example ${index + 1} of ${tool}`, maxExampleBytes),
    ),
  };
}

function parseSchema(text: string, what: string, ofObject: boolean): JsonObject {
  const schema = parseJsonObject(text, what, maxSchemaBytes);
  if (ofObject && schema.type !== 'object') {
    throw fault(`${what} lacks "type": "object": the input of a tool is one object`);
  }
  return schema;
}
