import type { ToolOutput, Tool as WitTool } from 'cuervo:plugin/tools@0.1.0';
import * as v from 'valibot';
import type { Plugin, Tool } from '../define-plugin.ts';
import { HostError, type HostErrorCode } from '../host-error.ts';
import { ToolError, type ToolErrorCode } from '../tool-error.ts';

const codeOfHostError: Record<HostErrorCode, ToolErrorCode> = {
  denied: 'denied',
  'not-found': 'not-found',
  invalid: 'invalid-input',
  limit: 'limit',
  timeout: 'timeout',
  conflict: 'conflict',
  io: 'failed',
};

/**
 * The two functions of `cuervo:plugin/tools` for a plugin.
 *
 * @param described what `describe()` returns, computed when the plugin was built
 */
export function serveTools(
  plugin: Plugin,
  described: WitTool[],
): { describe(): WitTool[]; call(name: string, input: string): ToolOutput } {
  return {
    describe: () => {
      warmUp(plugin, described);
      return described;
    },
    call: (name, input) => {
      try {
        return callTool(plugin, name, input);
      } catch (thrown) {
        throw toWitError(thrown);
      }
    },
  };
}

/**
 * Checks each tool's first example once: the host asks for `describe()` on every instance
 * before its call, so what the engine sets up on first use is not paid by the call.
 */
function warmUp(plugin: Plugin, described: readonly WitTool[]): void {
  for (const { name, examples } of described) {
    const tool = plugin.tools.find((candidate) => candidate.name === name);
    const [example] = examples;
    if (tool === undefined || example === undefined) continue;
    try {
      checkInput(tool, example);
    } catch {
      // Examples were checked when the plugin was built; here only the doing counts.
    }
  }
}

function callTool(plugin: Plugin, name: string, input: string): ToolOutput {
  const tool = plugin.tools.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new ToolError('not-found', `${plugin.name} has no tool "${name}"`);
  const result: unknown = tool.run(checkInput(tool, input));
  if (result instanceof Promise) {
    const reason = `${plugin.name}.${name} returned a promise; "run" must be a plain function`;
    throw new ToolError('failed', reason);
  }
  const { content, summary } = result as { content: unknown; summary: string };
  return {
    content: typeof content === 'string' ? content : (JSON.stringify(content) ?? 'null'),
    summary: String(summary),
  };
}

function checkInput(tool: Tool, input: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(input);
  } catch {
    throw new ToolError('invalid-input', 'the input is not JSON');
  }
  refuseUnknownFields(tool, value);
  const parsed = v.safeParse(tool.input, value);
  if (parsed.success) return parsed.output;
  const reasons = parsed.issues.slice(0, 5).map((issue) => {
    const path = v.getDotPath(issue);
    return path === null ? issue.message : `${path}: ${issue.message}`;
  });
  throw new ToolError('invalid-input', reasons.join('; '));
}

/** valibot's `object` drops unknown fields; a misspelt option must not pass in silence. */
function refuseUnknownFields(tool: Tool, value: unknown): void {
  const schema = tool.input as { type: string; entries?: Record<string, unknown> };
  if (schema.type !== 'object' || schema.entries === undefined) return;
  if (typeof value !== 'object' || value === null) return;
  const known = Object.keys(schema.entries);
  const unknown = Object.keys(value).filter((key) => !known.includes(key));
  if (unknown.length === 0) return;
  const detail = `unknown field "${unknown[0]}"; ${tool.name} takes ${known.join(', ') || 'none'}`;
  throw new ToolError('invalid-input', detail);
}

function toWitError(thrown: unknown): { tag: ToolErrorCode; val: string } {
  if (thrown instanceof HostError)
    return { tag: codeOfHostError[thrown.code], val: thrown.message };
  if (thrown instanceof ToolError) return { tag: thrown.code, val: thrown.message };
  return { tag: 'failed', val: thrown instanceof Error ? thrown.message : String(thrown) };
}
