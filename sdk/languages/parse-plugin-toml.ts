import { parse } from 'smol-toml';
import * as v from 'valibot';
import { BuildError } from '../build/build-error.ts';

const jsonSchema = v.pipe(
  v.union([v.record(v.string(), v.unknown()), v.string()]),
  v.description('JSON Schema: a table, or its JSON as a text'),
);

/** Content of `plugin.toml`; its JSON Schema is committed. */
export const pluginTomlSchema = v.strictObject({
  name: v.pipe(v.string(), v.description('kebab-case; its tools are called NAME.TOOL')),
  version: v.pipe(v.string(), v.description('e.g. 0.1.0')),
  description: v.string(),
  licence: v.exactOptional(v.pipe(v.string(), v.description('an SPDX name, e.g. MIT'))),
  homepage: v.exactOptional(v.pipe(v.string(), v.description('an https address'))),
  wants: v.optional(
    v.array(
      v.strictObject({
        capability: v.pipe(v.string(), v.description('e.g. fs')),
        why: v.pipe(v.string(), v.description('in words for the user')),
      }),
    ),
    [],
  ),
  tools: v.exactOptional(
    v.array(
      v.strictObject({
        name: v.pipe(v.string(), v.description('kebab-case; of a function its name')),
        description: v.exactOptional(
          v.pipe(v.string(), v.description('one sentence for who chooses, then details')),
        ),
        effect: v.exactOptional(
          v.pipe(v.string(), v.description('pure, read, write or external: the most it does')),
        ),
        input: v.exactOptional(jsonSchema),
        output: v.exactOptional(jsonSchema),
        examples: v.exactOptional(
          v.pipe(v.array(v.record(v.string(), v.unknown())), v.description('inputs')),
        ),
      }),
    ),
  ),
  build: v.exactOptional(
    v.strictObject({
      language: v.exactOptional(v.picklist(['rust', 'go', 'c', 'python'])),
      command: v.exactOptional(
        v.pipe(
          v.array(v.string()),
          v.minLength(1),
          v.description('what builds it, in place of what the language gives; needs file'),
        ),
      ),
      file: v.exactOptional(
        v.pipe(v.string(), v.description('the .wasm that command makes, from this folder')),
      ),
      flags: v.exactOptional(v.pipe(v.array(v.string()), v.description('more for the compiler'))),
    }),
  ),
});

type Parsed = v.InferOutput<typeof pluginTomlSchema>;
type Tool = Omit<NonNullable<Parsed['tools']>[number], 'input' | 'output'> & {
  input?: object;
  output?: object;
};

export type PluginToml = {
  /** what is written into the binary */
  manifest: Omit<Parsed, 'build' | 'tools'> & { tools?: Tool[] };
  build: NonNullable<Parsed['build']>;
};

/** @throws {BuildError} that names the line or the field */
export function parsePluginToml(text: string, file: string): PluginToml {
  let value: unknown;
  try {
    value = parse(text);
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message.split('\n')[0] : String(thrown);
    const line = (thrown as { line?: number }).line;
    const place = line === undefined ? file : `${file}:${line}`;
    throw new BuildError(`${place} is no TOML: ${reason}`, { cause: thrown });
  }
  const parsed = v.safeParse(pluginTomlSchema, value, { abortEarly: true });
  if (!parsed.success) {
    const [issue] = parsed.issues;
    throw new BuildError(`${file}: ${reasonOf(issue)}`);
  }
  const { build = {}, tools, ...rest } = parsed.output;
  if ((build.command === undefined) !== (build.file === undefined)) {
    throw new BuildError(`${file}: [build] has command or file, and needs both`);
  }
  const told = tools?.map((tool) => {
    const { input, output, ...others } = tool;
    return {
      ...others,
      ...(input === undefined ? {} : { input: asSchema(file, tool.name, 'input', input) }),
      ...(output === undefined ? {} : { output: asSchema(file, tool.name, 'output', output) }),
    };
  });
  return { manifest: { ...rest, ...(told === undefined ? {} : { tools: told }) }, build };
}

function asSchema(file: string, tool: string, field: string, given: string | object): object {
  if (typeof given === 'object') return given;
  try {
    const value: unknown = JSON.parse(given);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Told below.
  }
  throw new BuildError(`${file}: ${field} of the tool ${tool} is text, but not a JSON object`);
}

function reasonOf(issue: v.BaseIssue<unknown>): string {
  const path = v.getDotPath(issue as never) ?? '(all)';
  if (issue.expected === 'never') return `"${path}" is not a field of plugin.toml`;
  if (issue.received === 'undefined') return `"${path}" is missing`;
  return `"${path}" is ${issue.received}, not ${issue.expected ?? 'what it has to be'}`;
}
