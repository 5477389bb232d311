import { type ErrorCode, KernelError } from '../../contracts/error.ts';
import {
  type HostCaller,
  type HostServices,
  notDone,
  ServiceError,
} from '../../contracts/host-service.ts';
import {
  effects,
  type HostErrorCase,
  isObject,
  isReading,
  type JsonObject,
  type NestedCall,
  type Tool,
  type ToolInvoker,
  type ToolOutput,
} from '../../contracts/tool.ts';
import { didYouMean } from '../../lib/text/did-you-mean.ts';
import { parseExactJson } from '../../lib/text/parse-json.ts';
import { argument, parseArguments } from './parse-arguments.ts';

/** Calls that wait for each other, the first one among them. */
const maxDepth = 4;
const maxTogether = 100;
const maxFound = 8;
const maxName = 130;
const maxInput = 2 * 1024 * 1024;
const maxQuery = 2000;
const maxRehearsalMs = 5000;

export type ToolsPorts = {
  invoker(): ToolInvoker;
  /** tools for a goal, best first */
  find(goal: string): Promise<readonly Tool[]>;
  /** @throws {ServiceError} `denied` where no grant of the caller names the tool */
  requireTool(caller: HostCaller, tool: Tool): Promise<void>;
};

/**
 * Tools that a tool calls. Each runs as a step of the same run, with the authority of its own
 * plugin; the caller's limits can only narrow it.
 */
export function createToolsServices(ports: ToolsPorts): HostServices<'tools'> {
  const admit = async (
    { name, input }: { name: string; input: string },
    caller: HostCaller,
  ): Promise<NestedCall> => {
    const tools = await ports.invoker().tools();
    const tool = tools.find((each) => each.name === name);
    if (tool === undefined) {
      const nearest = didYouMean(
        name,
        tools.map((each) => each.name),
      );
      throw new ServiceError('not-found', `there is no tool "${name}"${nearest}`, name);
    }
    await ports.requireTool(caller, tool);
    requireChain(caller, tool);
    requireEffect(caller, tool);
    return { tool: name, input: objectOf(input, name), effect: tool.effect };
  };

  const run = async (
    calls: readonly NestedCall[],
    caller: HostCaller,
  ): Promise<(ToolOutput | KernelError)[]> => {
    const { chain = [], nest, rehearsal } = caller;
    if (rehearsal !== undefined) {
      const outputs: (ToolOutput | KernelError)[] = [];
      for (const call of calls) outputs.push(await rehearse(call, caller));
      return outputs;
    }
    if (nest === undefined)
      throw new ServiceError('denied', 'tools are called in a run alone', '', 'Use cuervo run.');
    const work = () => nest(calls, chain);
    try {
      // Each has a deadline of its own.
      return await (caller.whileWaiting?.(work) ?? work());
    } catch (thrown) {
      if (!(thrown instanceof KernelError)) throw thrown;
      return calls.map(() => thrown);
    }
  };

  /** Makes a reading call. A call with an effect stops at the question to the person. */
  const rehearse = async (
    call: NestedCall,
    { signal, rehearsal, chain = [], run: ofRun, step }: HostCaller,
  ): Promise<ToolOutput | KernelError> => {
    rehearsal?.onCall?.(call);
    let output: ToolOutput | undefined;
    try {
      const events = ports.invoker().invoke(call, {
        ...{ signal, timeoutMs: maxRehearsalMs, chain },
        ...(rehearsal === undefined ? {} : { rehearsal }),
        ...(ofRun === undefined ? {} : { run: ofRun }),
        ...(step === undefined ? {} : { step }),
      });
      for await (const event of events) if (event.type === 'output') output = event.output;
    } catch (thrown) {
      return KernelError.from(thrown, 'internal');
    }
    if (output !== undefined && isReading(call.effect)) return output;
    return new KernelError('permission-denied', notDone);
  };

  const text = argument.text;
  const one = argument.list([text(maxName), text(maxInput)]);
  const many = argument.list([argument.calls(maxTogether, maxName, maxInput)]);
  return {
    'tools.find': async (args, caller) => {
      const [query] = parseArguments('tools.find', argument.list([text(maxQuery)]), args);
      const found = await ports.find(query);
      const held = await Promise.all(
        found.map(async (tool) => ((await isHeld(tool, caller)) ? [tool] : [])),
      );
      const value = held
        .flat()
        .slice(0, maxFound)
        .map(({ name, description, effect, inputSchema }) => ({
          ...{ name, description, effect },
          inputSchema: JSON.stringify(inputSchema),
        }));
      return { value, target: query };
    },
    'tools.call': async (args, caller) => {
      const [name, input] = parseArguments('tools.call', one, args);
      const call = await admit({ name, input }, caller);
      const [output] = await run([call], caller);
      if (output === undefined || output instanceof KernelError) throw failureOf(name, output);
      return { value: output, target: name, bytes: output.content.length };
    },
    'tools.call-all': async (args, caller) => {
      const [calls] = parseArguments('tools.call-all', many, args);
      const target = calls.map(({ name }) => name).join(' ');
      const admitted: (NestedCall | ServiceError)[] = [];
      for (const call of calls) admitted.push(await admit(call, caller).catch(asServiceError));
      const made = admitted.flatMap((call) => (call instanceof ServiceError ? [] : [call]));
      const outputs = await run(made, caller);
      const value = admitted.map((call) => {
        const output = call instanceof ServiceError ? call : outputs.shift();
        if (output instanceof ServiceError) return failed(output);
        return output === undefined || output instanceof KernelError
          ? failed(failureOf(call instanceof ServiceError ? '' : call.tool, output))
          : { tag: 'ok', val: output };
      });
      return { value, target };
    },
  };

  async function isHeld(tool: Tool, caller: HostCaller): Promise<boolean> {
    return await ports.requireTool(caller, tool).then(
      () => true,
      () => false,
    );
  }
}

function failed({ tag, message }: ServiceError) {
  return { tag: 'err', val: { tag, val: message } };
}

function requireChain({ chain = [] }: HostCaller, { name }: Tool): void {
  const told = [...chain, name].join(' → ');
  if (chain.includes(name))
    throw new ServiceError('denied', `${name} waits for this call already: ${told}`, name);
  if (chain.length >= maxDepth) {
    throw new ServiceError('limit', `${told}: tools call each other ${maxDepth} deep`, name);
  }
}

/** A tool may call only tools whose effect is not above its own. */
function requireEffect({ effect = 'pure', tool = '' }: HostCaller, called: Tool): void {
  if (effects.indexOf(called.effect) <= effects.indexOf(effect)) return;
  const text = `${called.name} has the effect "${called.effect}", above the effect "${effect}" of ${tool}`;
  throw new ServiceError(
    'denied',
    text,
    called.name,
    'Call it from a tool that promises as much, as script.run does.',
  );
}

function objectOf(text: string, name: string): JsonObject {
  let value: unknown;
  try {
    value = parseExactJson(text);
  } catch {
    throw new ServiceError('invalid', `the input of ${name} is not JSON`, name);
  }
  if (isObject(value)) return value;
  throw new ServiceError('invalid', `the input of ${name} is not a JSON object`, name);
}

/** The caller sees the message of a failed step, but none of an error inside of cuervo. */
function failureOf(name: string, error: KernelError | undefined): ServiceError {
  if (error === undefined || error.code === 'internal')
    return new ServiceError('io', `${name} could not be called`, name);
  return new ServiceError(cases[error.code], error.message, name, error.hint);
}

function asServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  throw thrown;
}

const cases: Readonly<Record<Exclude<ErrorCode, 'internal'>, HostErrorCase>> = {
  'invalid-argument': 'invalid',
  'not-found': 'not-found',
  'permission-denied': 'denied',
  'resource-exhausted': 'limit',
  'deadline-exceeded': 'timeout',
  canceled: 'timeout',
  conflict: 'conflict',
  unavailable: 'io',
  'tool-failed': 'io',
  'plugin-fault': 'io',
};
