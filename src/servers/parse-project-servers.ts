import * as v from 'valibot';

const words = v.array(v.string());
const texts = v.record(v.string(), v.string());
const fileSchema = v.object({ mcpServers: v.record(v.string(), v.unknown()) });
const entrySchema = v.object({
  type: v.optional(v.string()),
  command: v.optional(v.string()),
  args: v.optional(words, []),
  env: v.optional(texts, {}),
  url: v.optional(v.string()),
  headers: v.optional(texts, {}),
});

/** One server as `.mcp.json` names it. */
export type ProjectEntry = v.InferOutput<typeof entrySchema>;

/** The entries of `.mcp.json`, in its order; undefined for what is no such file. */
export function parseProjectServers(
  text: string,
): [name: string, entry: ProjectEntry | undefined][] | undefined {
  const parsed = v.safeParse(fileSchema, decode(text), { abortEarly: true });
  if (!parsed.success) return undefined;
  return Object.entries(parsed.output.mcpServers).map(([name, value]) => {
    const entry = v.safeParse(entrySchema, value, { abortEarly: true });
    return [name, entry.success ? entry.output : undefined];
  });
}

function decode(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
