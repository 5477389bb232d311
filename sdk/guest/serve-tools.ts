import type { ToolOutput, Tool as WitTool } from 'cuervo:plugin/tools@0.1.0';
import * as v from 'valibot';
import type { Plugin, Tool } from '../define-plugin.ts';
import { HostError, type HostErrorCode } from '../host-error.ts';
import { ToolError, type ToolErrorCode } from '../tool-error.ts';
import { isPromise, leftRejections, settled } from './jobs.ts';
import { kindOf } from './kind-of.ts';
import { strictSchema } from './strict-schema.ts';
import { tellThrown } from './tell-thrown.ts';
import { toolErrorCodes, unknownCode } from './tool-error-codes.ts';
import { reasonOf } from './unknown-fields.ts';

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
  const tools = new Map(
    plugin.tools.map((tool): [string, ServedTool] => [
      tool.name,
      { tool, schema: strictSchema(tool.input) },
    ]),
  );
  return {
    describe: () => {
      warmUp(tools, described);
      return described;
    },
    call: (name, input) => {
      try {
        const served = tools.get(name);
        if (served === undefined)
          throw new ToolError('not-found', `${plugin.name} has no tool "${name}"`);
        const result: unknown = served.tool.run(readInput(served, input));
        const output = outputOf(isPromise(result) ? settled(result) : result);
        const left = leftRejections();
        if (left === '') return output;
        return { content: output.content, summary: output.summary + left.toWellFormed() };
      } catch (thrown) {
        // Without memory nothing more can run.
        throw toWitError(thrown, isOutOfMemory(thrown) ? '' : leftRejections());
      }
    },
  };
}

type ServedTool = {
  tool: Tool;
  /** its input, which refuses unknown fields at every depth */
  schema: v.GenericSchema;
};

/**
 * Checks each tool's first example once: the host asks for `describe()` on every instance
 * before its call, so what the engine sets up on first use is not paid by the call.
 */
function warmUp(tools: ReadonlyMap<string, ServedTool>, described: readonly WitTool[]): void {
  for (const { name, examples } of described) {
    const served = tools.get(name);
    const [example] = examples;
    if (served === undefined || example === undefined) continue;
    try {
      readInput(served, example);
    } catch {
      // Ignored: the build checked the examples; this run only warms up.
    }
  }
}

/** Most results are what they have to be, and are handed on as they are. */
function outputOf(result: unknown): ToolOutput {
  if (typeof result === 'object' && result !== null) {
    const { content, summary } = result as { content?: unknown; summary?: unknown };
    if (typeof content === 'string' && typeof summary === 'string')
      return { content: content.toWellFormed(), summary: summary.toWellFormed() };
  }
  return unusualOutput(result);
}

/**
 * Checks a tool's output, because the build does not check an author's types. The host puts the
 * tool's name in front of every error.
 */
function unusualOutput(result: unknown): ToolOutput {
  if (typeof result !== 'object' || result === null) throw badResult(kindOf(result));
  const { content, summary } = result as { content?: unknown; summary?: unknown };
  if (content === undefined) throw badResult('no "content"');
  if (summary === undefined) throw badResult('no "summary"');
  if (typeof summary !== 'string') {
    const reason = `"run" returned ${kindOf(summary)} as "summary", which has to be a text`;
    throw new ToolError('failed', reason);
  }
  return { content: jsonOf(content), summary: summary.toWellFormed() };
}

function badResult(what: string): ToolError {
  return new ToolError('failed', `"run" returned ${what}; it has to return { content, summary }`);
}

function jsonOf(content: unknown): string {
  let reason = `it is ${kindOf(content)}`;
  try {
    const json = JSON.stringify(content);
    if (json !== undefined) return json;
  } catch (thrown) {
    // A cycle or a bigint; all else is no matter of the content.
    if (!(thrown instanceof TypeError)) throw thrown;
    reason = thrown.message;
  }
  throw new ToolError('failed', `"run" returned "content" that is not JSON: ${reason}`);
}

function readInput({ tool, schema }: ServedTool, input: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(input);
  } catch {
    throw new ToolError('invalid-input', 'the input is not JSON');
  }
  const parsed = v.safeParse(schema, value);
  if (parsed.success) return parsed.output;
  const reasons = parsed.issues.slice(0, 5).map((issue) => reasonOf(tool.name, issue));
  throw new ToolError('invalid-input', reasons.join('; '));
}

/** As the engine says it; the host alone knows how much there was. */
function isOutOfMemory(thrown: unknown): boolean {
  return (
    thrown instanceof Error && thrown.name === 'InternalError' && thrown.message === 'out of memory'
  );
}

/**
 * An author's code may be none and a message no text: both would trap on their way out.
 *
 * @param left see `leftRejections`
 */
function toWitError(thrown: unknown, left: string): { tag: ToolErrorCode; val: string } {
  if (isOutOfMemory(thrown)) return { tag: 'limit', val: 'out of memory' };
  if (thrown instanceof HostError || thrown instanceof ToolError) {
    const tag = thrown instanceof HostError ? codeOfHostError[thrown.code] : thrown.code;
    const isKnown = toolErrorCodes.includes(tag);
    const unknown = isKnown ? '' : ` (${unknownCode(thrown.code)})`;
    return {
      tag: isKnown ? tag : 'failed',
      val: `${thrown.message}${unknown}${left}`.toWellFormed(),
    };
  }
  return { tag: 'failed', val: `${tellThrown(thrown)}${left}`.toWellFormed() };
}
