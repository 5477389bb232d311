import type { ServerChange, ServerTool } from '../contracts/servers.ts';
import type { JsonObject } from '../contracts/tool.ts';
import { sha256 } from '../lib/sha256.ts';
import { isTooDeep } from '../lib/text/parse-json.ts';
import { escapeText } from '../lib/text/printable.ts';
import { type ListedTool, parseListedTool } from './parse-server.ts';

const maxTools = 500;
const maxName = 64;
/** Characters of a description that models are shown. */
const maxDescription = 1_000;
const maxSchemaBytes = 64 * 1024;

export type PinnedTools = {
  tools: ServerTool[];
  /** tools that cannot be used, and why; one sentence each */
  leftOut: string[];
};

/**
 * What a server lists, as cuervo shows and calls it: names that every model takes, descriptions cut
 * and without anything invisible, no schema that is too large. The digest is of the server's own
 * words, also of those that are cut.
 *
 * @param findOrders how a text speaks that wants to be obeyed; then no model reads it
 */
export function pinTools(
  listed: readonly unknown[],
  findOrders: (text: string) => readonly string[],
): PinnedTools {
  const tools: ServerTool[] = [];
  const leftOut: string[] = [];
  const taken = new Set<string>();
  if (listed.length > maxTools)
    leftOut.push(
      `it lists ${listed.length} tools, and those after the first ${maxTools} are not used`,
    );
  for (const [at, value] of listed.slice(0, maxTools).entries()) {
    const tool = parseListedTool(value);
    const why = typeof tool === 'string' ? tool : refusal(tool, taken);
    if (typeof tool === 'string' || why !== undefined) {
      const name =
        typeof tool === 'string' ? `number ${at + 1}` : escapeText(tool.name).slice(0, maxName);
      leftOut.push(`tool ${name}: ${why}`);
      continue;
    }
    taken.add(nameOf(tool));
    tools.push(pinned(tool, findOrders));
  }
  return { tools, leftOut };
}

function refusal(tool: ListedTool, taken: ReadonlySet<string>): string | undefined {
  if (tool.name.length > maxName)
    return `a name of ${tool.name.length} characters, limit ${maxName}`;
  if (taken.has(nameOf(tool))) return `another tool is ${nameOf(tool)}, too`;
  for (const field of ['inputSchema', 'outputSchema'] as const) {
    const text = JSON.stringify(tool[field] ?? {});
    const bytes = Buffer.byteLength(text);
    if (bytes > maxSchemaBytes) return `${field} has ${bytes} bytes, limit ${maxSchemaBytes}`;
    if (isTooDeep(text)) return `${field} is nested too deeply`;
  }
  if (tool.inputSchema.type !== 'object') return 'inputSchema lacks "type": "object"';
  return undefined;
}

function pinned(tool: ListedTool, findOrders: (text: string) => readonly string[]): ServerTool {
  const { name, description, inputSchema, outputSchema } = tool;
  const orders = findOrders(JSON.stringify([description, inputSchema]));
  const isWithheld = orders.length > 0;
  const said = escapeText(description.replace(/\s+/g, ' ').trim());
  return {
    name: nameOf(tool),
    own: name,
    description: isWithheld
      ? `(the server's description is withheld: it speaks to the model as ${orders.join(', ')})`
      : cut(said) || '(the server does not describe it)',
    inputSchema: isWithheld ? (withoutWords(inputSchema) as JsonObject) : inputSchema,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    digest: sha256(JSON.stringify([name, description, inputSchema, outputSchema ?? null])),
  };
}

/** `read.file` -> `read_file`: models and clients take no other characters. */
function nameOf({ name }: ListedTool): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_');
}

function cut(text: string): string {
  return text.length <= maxDescription ? text : `${text.slice(0, maxDescription - 1)}…`;
}

/** The names of fields stay, or nobody could call it. */
function withoutWords(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutWords);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(
    ([key, value]) =>
      !(['title', 'description', '$comment'].includes(key) && typeof value === 'string'),
  );
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutWords(value)]));
}

/** What differs, by the names that cuervo uses. */
export function compareTools(
  agreed: readonly ServerTool[],
  now: readonly ServerTool[],
): ServerChange[] {
  const before = new Map(agreed.map((tool) => [tool.name, tool]));
  const names = new Set(now.map(({ name }) => name));
  const changes = now.flatMap((tool): ServerChange[] => {
    const old = before.get(tool.name);
    if (old?.digest === tool.digest) return [];
    if (old === undefined) return [{ tool: tool.name, change: 'new', text: textOf(tool) }];
    return [{ tool: tool.name, change: 'changed', text: `${textOf(old)}\n${textOf(tool)}` }];
  });
  const gone = agreed.filter(({ name }) => !names.has(name));
  return [
    ...changes,
    ...gone.map((tool) => ({ tool: tool.name, change: 'gone' as const, text: textOf(tool) })),
  ];
}

function textOf({ description, inputSchema }: ServerTool): string {
  return `${description} ${escapeText(JSON.stringify(inputSchema))}`;
}
