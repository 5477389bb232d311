import type { GenericSchema, InferInput, InferOutput } from 'valibot';
import type { CapabilityName } from './gen/capabilities.ts';

/** An interface of `cuervo:host` that the plugin imports, and why, in words for its user. */
export type Want = {
  capability: CapabilityName;
  why: string;
};

/** `content` that is not a string is sent as JSON; `summary` is one line for the person. */
export type ToolResult = { content: unknown; summary: string };

export type Tool<Schema extends GenericSchema = GenericSchema> = {
  /** `verb` or `noun-verb` in kebab-case, unique in the plugin */
  name: string;
  /** one sentence for the model that chooses, then details */
  description: string;
  /** what a call can do to the world, at most; host calls above it are denied */
  effect: 'pure' | 'read' | 'write' | 'external';
  /** valibot schema of the input; checked before `run`, and the source of the JSON Schema */
  input: Schema;
  /** inputs to learn from; each must pass `input` */
  examples: readonly InferInput<Schema>[];
  /** valibot schema of `content`, for people and programs that show it; nothing checks it */
  output?: GenericSchema;
  /** It may be async. Host calls are synchronous. */
  run(input: InferOutput<Schema>): ToolResult | Promise<ToolResult>;
};

export type Plugin = {
  name: string;
  version: string;
  description: string;
  licence?: string;
  homepage?: string;
  wants: readonly Want[];
  /** what a call needs more of than is usual; the label shows it, and its user bounds it */
  limits?: {
    /** host calls of one call: 1,000 are usual */
    hostCalls?: number;
  };
  tools: readonly Tool[];
};

/** The inputs of each tool keep their own type, so `run` knows what it is given. */
type PluginWith<Schemas extends readonly GenericSchema[]> = Omit<Plugin, 'tools'> & {
  tools: { readonly [Index in keyof Schemas]: Tool<Schemas[Index]> };
};

/** Describes a plugin; the default export of `plugin.ts`. */
export function definePlugin<const Schemas extends readonly GenericSchema[]>(
  plugin: PluginWith<Schemas>,
): Plugin {
  return plugin as unknown as Plugin;
}

/** Describes one tool on its own, for a plugin whose tools stand in several files. */
export function defineTool<const Schema extends GenericSchema>(tool: Tool<Schema>): Tool<Schema> {
  return tool;
}
