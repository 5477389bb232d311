import type { ToolFacts } from '../contracts/agent.ts';
import { KernelError } from '../contracts/error.ts';
import type { ModelTool, ModelToolCall } from '../contracts/model.ts';
import { notReadOf, notReadText } from '../contracts/not-read.ts';
import type { NestedCalls, Step, StepResult } from '../contracts/plan.ts';
import { isObject, type JsonObject, type Tool } from '../contracts/tool.ts';
import type { Guard } from '../guard/create-guard.ts';
import { secretsOf } from '../guard/scan-text.ts';
import { fitInput, likelyName } from '../lib/check-input.ts';
import { truncateMiddle } from '../lib/text/truncate-middle.ts';
import { goalWords } from '../lib/text/words.ts';
import type { PromptRound } from '../models/build-prompt.ts';
import { chooseTools } from '../questions/tools/choose-tools.ts';

/** Calls of one reply that are made; a person cannot follow more. */
const maxCallsOfReply = 16;
const maxFound = 8;

export const findToolsName = 'find_tools';
const callToolName = 'call_tool';
export const describeToolName = 'describe_tool';
const runScriptName = 'run_script';
const scriptTool = 'script.run';

const namedInput = {
  type: 'object',
  properties: { name: { type: 'string' }, input: { type: 'object' } },
  required: ['name', 'input'],
  additionalProperties: false,
};

/** Tools with which a model finds, reads of, calls and scripts the tools that it is not shown. */
export const finderTools: readonly ModelTool[] = [
  {
    name: findToolsName,
    description: `Finds further tools by what they do. Call one that it names with ${callToolName}.`,
    inputSchema: {
      type: 'object',
      properties: { query: { type: 'string', description: 'what the tool should do, in words' } },
      required: ['query'],
      additionalProperties: false,
    },
  },
  {
    name: describeToolName,
    description: 'The description of a tool by its name, and the JSON Schema of its input.',
    inputSchema: {
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
      additionalProperties: false,
    },
  },
  {
    name: callToolName,
    description: `Calls a tool by its name, as ${findToolsName} gave it, with its input.`,
    inputSchema: namedInput,
  },
  {
    name: runScriptName,
    description:
      'Runs JavaScript that calls several tools, in place of as many calls: the body of an async function. tools.file.read({path: "a.md"}) gives the parsed result; tools.all([{tool: "search.grep", input: {…}}, …]) reads side by side; return gives yours. Each call is checked like a direct one.',
    inputSchema: {
      type: 'object',
      properties: { code: { type: 'string' }, input: { description: 'any JSON' } },
      required: ['code'],
      additionalProperties: false,
    },
  },
];

/** The outcome of a planned call: a step, our own words at once, or the reason for no step. */
export type PlannedCall = {
  call: ModelToolCall;
  step: Step;
  refusal?: string;
  /** an answer that needs no step */
  answer?: string;
  /** tells the model how its call was corrected */
  mended?: string;
};

/** Calls of a reply as steps, numbered from `first`. */
export function planCalls(
  calls: readonly ModelToolCall[],
  context: {
    first: number;
    guard: Guard;
    tools: ToolFacts;
    /** calls that the budget covers */
    covered: number;
    /** the reply was cut off at so many tokens */
    cutAt: number | undefined;
  },
): PlannedCall[] {
  const allowed = Math.min(maxCallsOfReply, context.covered);
  return calls.map((given, index) => {
    const names = [
      ...finderTools.map(({ name }) => name),
      ...context.tools.tools.map(({ name }) => name),
    ];
    const asNamed = (call: ModelToolCall): ModelToolCall => ({
      ...call,
      name: likelyName(call.name, names) ?? call.name,
    });
    const named = asNamed(given);
    const meant = unwrapped(named);
    const call = asNamed(meant);
    const planned = planCall(call, `s${context.first + index}`, context);
    // Providers take no dot in a name.
    const isOwn = (as: ModelToolCall, own: ModelToolCall): boolean =>
      as.name.replaceAll('__', '.') === own.name;
    const isNamed = isOwn(given, named) && isOwn(meant, call);
    if (!isNamed && planned.refusal === undefined) {
      planned.mended = [`the name is ${call.name}`, planned.mended].filter(Boolean).join('; ');
    }
    if (index < allowed) return { ...planned, call: given };
    const reason =
      index >= maxCallsOfReply
        ? `not called: at most ${maxCallsOfReply} calls of one reply are made; call again what is still needed`
        : 'not called: no further call of this question is covered; answer with what is known';
    return { call: given, step: planned.step, refusal: reason };
  });
}

/** `call_tool` is a call of the tool that it names, and `run_script` one of the tool that runs it. */
function unwrapped(call: ModelToolCall): ModelToolCall {
  if (call.name === runScriptName) return { ...call, name: scriptTool };
  if (call.name !== callToolName || call.fault !== undefined) return call;
  const { input: wrapped } = fitInput(callToolName, namedInput, call.input);
  const { name, input } = wrapped;
  return {
    id: call.id,
    name: typeof name === 'string' ? name : '',
    input: isObject(input) ? input : {},
    ...(isObject(input) || input === undefined ? {} : { fault: 'the input is not a JSON object' }),
  };
}

function planCall(
  call: ModelToolCall,
  id: string,
  { guard, tools, cutAt }: { guard: Guard; tools: ToolFacts; cutAt: number | undefined },
): PlannedCall {
  const tool = tools.tools.find(({ name }) => name === call.name);
  const effect = tool?.effect ?? 'external';
  const step: Step = { id, tool: tool?.name ?? call.name, input: call.input, needs: [], effect };
  if (call.name === findToolsName) return { call, step, answer: foundTools(call, tools) };
  if (call.name === describeToolName) {
    const known = tools.tools.find(({ name }) => name === call.input.name);
    if (known !== undefined) return { call, step, answer: JSON.stringify(described(known, tools)) };
    return { call, step, refusal: noTool(String(call.input.name)) };
  }
  if (tool === undefined) {
    return { call, step, refusal: noTool(call.name) };
  }
  if (call.fault !== undefined) return { call, step, refusal: faultText(call.fault, cutAt) };
  const { input, fits, wrong } = fitInput(tool.name, tool.inputSchema, call.input);
  const checked = guard.call({ ...call, input }, { leavesMachine: effect === 'external' });
  if ('refusal' in checked) return { call, step, refusal: `not called: ${checked.refusal}` };
  const whole = { ...step, input: checked.input };
  return {
    call,
    // Commands that only look at files run side by side.
    step: tools.onlyReads(whole) ? { ...whole, effect: 'read' } : whole,
    ...(fits && wrong !== undefined ? { mended: wrong } : {}),
  };
}

/** Calls of a script, which a model wrote: they pass the guard, and what they read counts as read. */
export function nestedCalls(
  guard: Guard,
  { noteRead }: { noteRead(source: string): void },
): NestedCalls {
  return {
    admit: (calls) =>
      calls.map((call) => {
        const asked = { id: '', name: call.tool, input: call.input };
        const checked = guard.call(asked, { leavesMachine: call.effect === 'external' });
        if ('refusal' in checked) throw new KernelError('permission-denied', checked.refusal);
        return { ...call, input: checked.input };
      }),
    done: ({ tool, output }) => {
      if (output === undefined) return;
      guard.know(secretsOf(output.content));
      noteRead(tool);
    },
  };
}

function noTool(name: string): string {
  return `there is no tool "${name}"; find one with ${findToolsName}`;
}

function foundTools(call: ModelToolCall, tools: ToolFacts): string {
  const query = typeof call.input.query === 'string' ? call.input.query : '';
  const words = goalWords(query);
  const likenesses = tools.likenessesTo(query, words);
  const found = chooseTools(words, tools.tools, likenesses).slice(0, maxFound);
  if (found.length === 0) return 'no tool does that';
  return found.map(({ tool }) => JSON.stringify(described(tool, tools))).join('\n');
}

function described(tool: Tool, tools: ToolFacts): JsonObject {
  const { name, description, inputSchema, plugin } = tool;
  const whose = tools.isBuiltin(plugin) ? {} : { wordsOf: `the plugin ${plugin}` };
  return { name, description, input: inputSchema, ...whose };
}

function faultText(fault: string, cutAt: number | undefined): string {
  return cutAt === undefined
    ? `not called: ${fault}`
    : `not called: your answer reached its ${cutAt} tokens within this call; write less in one call`;
}

export function resultOf(
  { call, step, refusal, answer, mended }: PlannedCall,
  result: StepResult | undefined,
  maxBytes: number,
): PromptRound['results'][number] {
  const { id } = call;
  const source = `tool ${step.tool}`;
  const told = mended === undefined ? '' : `[taken as it was meant: ${mended}]\n`;
  // Names and descriptions of tools may be those of a stranger's plugin.
  if (answer !== undefined) return { id, source, text: told + answer, isError: false };
  if (result === undefined) {
    return { id, source, text: refusal ?? 'not called', isError: true, isOurs: true };
  }
  if (result.output !== undefined) {
    const missed = notReadText(notReadOf([result]));
    const note = missed === undefined ? '' : `\n[${missed}]`;
    const text = told + truncateMiddle(result.output.content, maxBytes) + note;
    return { id, source, text, isError: false };
  }
  const reason = `${told}${result.status}: ${result.error?.message ?? 'no output'}`;
  return { id, source, text: reason, isError: true };
}

/** Rounds in a row that fail alike, with other inputs. */
const maxAlike = 3;

/**
 * Tells of each round of calls whether the model goes in circles: all of its calls failed before
 * with the very same input, or it is the third in a row that failed alike. One call that works, such
 * as a change of the file that a test reads, begins anew.
 */
export function createCallsInVain(): (round: Pick<PromptRound, 'calls' | 'results'>) => boolean {
  const failed = new Set<string>();
  let last = '';
  let alike = 0;
  return ({ calls, results }) => {
    if (results.some(({ isError }) => !isError)) {
      failed.clear();
      last = '';
      return false;
    }
    const keys = calls.map(({ name, input, fault }) => JSON.stringify([name, input, fault]));
    const isSame = keys.every((key) => failed.has(key));
    for (const key of keys) failed.add(key);
    const kinds = calls.map((call, at) => `${call.name} ${kindOf(results[at]?.text ?? '', call)}`);
    const kind = [...new Set(kinds)].sort().join('\n');
    alike = kind === last ? alike + 1 : 1;
    last = kind;
    return isSame || alike >= maxAlike;
  };
}

/** A reason without what differs from input to input. */
function kindOf(reason: string, { input }: ModelToolCall): string {
  const values = Object.values(input).filter((value) => typeof value === 'string' && value !== '');
  const bare = values.reduce<string>((text, value) => text.replaceAll(String(value), ''), reason);
  return bare.replace(/"[^"]*"|\d+/g, '');
}
