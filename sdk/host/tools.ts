import * as host from 'cuervo:host/tools@0.1.0';
import { HostError, hostCall } from '../host-error.ts';
import { asText } from './argument.ts';

export type { Found } from 'cuervo:host/tools@0.1.0';

/** `content` is what the tool gave: a value where it is JSON, else text. */
export type Output = { content: unknown; summary: string };
export type Call = { name: string; input?: object };

/** Tools that this plugin may call, for a goal in plain words, best first. */
export function find(query: string): host.Found[] {
  const goal = asText(query, 'tools.find: "query"');
  return hostCall(() => host.find(goal));
}

/** Calls a tool, as `file.read`, with an object. */
export function call(name: string, input: object = {}): Output {
  const { name: tool, input: text } = asCall({ name, input }, 'tools.call');
  return outputOf(hostCall(() => host.call(tool, text)));
}

/** At most 100 calls: reads side by side, what writes in order. Each gives its output or its error. */
export function callAll(calls: readonly Call[]): (Output | HostError)[] {
  const asked = Array.from(calls, (each) => asCall(each, 'tools.callAll: each'));
  return hostCall(() => host.callAll(asked)).map((each) =>
    each.tag === 'ok' ? outputOf(each.val) : new HostError(each.val.tag, each.val.val),
  );
}

function asCall({ name, input = {} }: Call, what: string): host.ToolCall {
  return { name: asText(name, `${what}: "name"`), input: JSON.stringify(input) ?? 'null' };
}

function outputOf({ content, summary }: host.ToolOutput): Output {
  try {
    return { content: JSON.parse(content), summary };
  } catch {
    // It is a text.
    return { content, summary };
  }
}
