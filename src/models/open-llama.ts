import { availableParallelism } from 'node:os';
import { basename, resolve } from 'node:path';
import type { Confine } from '../contracts/confined-program.ts';
import { KernelError } from '../contracts/error.ts';
import type {
  ChatModel,
  ModelEvent,
  ModelMessage,
  ModelReach,
  ModelRequest,
  ModelTool,
  ModelUsage,
} from '../contracts/model.ts';
import { hashFile } from '../lib/files/read-file.ts';
import { estimateTokens } from './count-tokens.ts';
import { callSchema, shownParams } from './llama/call-schema.ts';
import { checkGguf } from './llama/check-gguf.ts';
import { checkMemory } from './llama/gguf-files.ts';
import { type LlamaChild, openChild } from './llama/open-child.ts';
import { type ChatTurn, type Offered, parseCall, type Speed } from './llama/parse-protocol.ts';
import type { PromptStates } from './llama/prompt-states.ts';
import { least, type Measured, reachOf } from './model-reach.ts';
import { keepProcess } from './spawn-model-process.ts';
import { readWords } from './words/read-words.ts';

/** The choice of no tool: none fits, or none is needed any more. */
const none: Offered = {
  name: 'none',
  description: 'No tool here fits, or the answer is known already. Takes nothing.',
};

export type LlamaOptions = {
  /** a GGUF file */
  path: string;
  /** entry of the model process: its built bundle, or `src/models/llama/child.ts` */
  childPath: string;
  /** the folder of its native code; see `llamaPackage()` */
  packages?: readonly string[];
  confine: Confine;
  /** the results of its test on this machine; without them the model gets the least */
  measured?: Measured | undefined;
  /** keeps beginnings of prompts from one process to the next; absent: none is kept */
  states?: PromptStates | undefined;
  /** SHA-256 of the file, hex; read from it when absent */
  digest?: () => Promise<string>;
  /**
   * Default: cores − 1, at least 1. With every core taken and another process busy, a small model
   * was seen to take 98 s for what takes 0.03 s on one core less.
   */
  threads?: number;
  /** gives up loading the model, the first time or a later one */
  signal?: AbortSignal;
};

/** A model in a process of ours, with what its test needs to know. */
export type LlamaModel = ChatModel & {
  /** how fast it is here */
  measure(options: { signal: AbortSignal }): Promise<Speed & { memoryBytes: number }>;
  readonly trainedTokens: number;
  readonly hasTemplate: boolean;
  /**
   * How likely the model calls each tool or none, as logarithms of shares; and the same without a
   * question.
   */
  weigh(
    request: ModelRequest,
    options: { signal: AbortSignal },
  ): Promise<{ tools: readonly string[]; weights: number[]; neutral?: number[] }>;
};

/**
 * A GGUF model in a process of its own: a native abort ends that process, the error says so, and
 * the next request starts another. Requests wait for each other.
 *
 * With tools, the model's own odds between their names and `none` choose one; then it writes the
 * input of that one under a grammar. If the best choice does not lead by the margin from its test,
 * none is called: the reply is empty with `required` and words with `auto`. Token counts are
 * estimates on the safe side, by a rate measured with the model's own tokenizer.
 *
 * @throws {KernelError} `not-found` or `invalid-argument` for a path that is not a file, no GGUF or
 *   cut off, `resource-exhausted` for one that is larger than the memory, before native code sees it;
 *   `unavailable` when it cannot be loaded
 */
export async function openLlama(options: LlamaOptions): Promise<LlamaModel> {
  const path = resolve(options.path);
  checkGguf(path);
  checkMemory(path);
  const { measured } = options;
  const start = (): Promise<LlamaChild> =>
    openChild({
      childPath: options.childPath,
      packages: options.packages,
      confine: options.confine,
      path,
      contextTokens: measured?.contextTokens ?? least.contextTokens,
      threads: options.threads ?? Math.max(1, availableParallelism() - 1),
      use: 'chat',
      states: options.states,
      signal: options.signal,
    });
  const first = await start();
  const { contextTokens, asciiPerToken } = first;
  const reach: ModelReach = reachOf(contextTokens, measured, asciiPerToken);
  const { margin = 0, subtractsNeutral = false } = measured ?? {};
  const kept = keepProcess(basename(path), start, first);
  const digest = options.digest ?? (async () => (await hashFile(path, 'sha256')).digest('hex'));
  let known: Promise<string> | undefined;
  let round = 0;

  async function* generate(
    live: LlamaChild,
    request: ModelRequest,
    spent: ModelUsage,
    signal: AbortSignal,
  ): AsyncGenerator<ModelEvent, void, undefined> {
    const turns = toTurns(request);
    const maxTokens = request.maxOutputTokens;
    for await (const reply of live.generate({ turns, maxTokens }, { signal })) {
      if (reply.type === 'text') yield { type: 'text', delta: reply.delta };
      else yield { type: 'end', stop: reply.stop, usage: addUsage(spent, reply) };
    }
  }

  const generateText = (...asked: Parameters<typeof generate>) => {
    round += 1;
    return readWords(generate(...asked), asked[1], { round });
  };

  /** The tools whose calls fit, with none behind them, and how likely each is. */
  async function weighTools(
    live: LlamaChild,
    request: ModelRequest,
    signal: AbortSignal,
  ): Promise<Weighed> {
    const fitting = offer(request);
    const offered = [...fitting.map(({ shown }) => shown), none];
    const turns = toTurns(request);
    const neutral = subtractsNeutral ? withoutQuestion(turns, request.question) : undefined;
    const weighed: Weighed = { fitting, offered, turns, weights: [], usage: noUsage };
    const asked = { turns, offered, ...(neutral === undefined ? {} : { neutral }) };
    for await (const reply of live.call({ type: 'choose', ...asked }, { signal })) {
      if (reply.type === 'weights') {
        weighed.weights = reply.weights;
        if (reply.neutral !== undefined) weighed.neutral = reply.neutral;
      } else if (reply.type === 'end') weighed.usage = addUsage(noUsage, reply);
    }
    return weighed;
  }

  async function* stream(
    request: ModelRequest,
    { signal }: { signal: AbortSignal },
  ): AsyncGenerator<ModelEvent, void, undefined> {
    const live = await kept.live();
    if (request.tools.length === 0 || request.toolChoice === 'none') {
      yield* generateText(live, request, noUsage, signal);
      return;
    }
    const { fitting, offered, turns, weights, neutral, usage } = await weighTools(
      live,
      request,
      signal,
    );
    const chosen = chooseFrom(weights, neutral, margin);
    const one = fitting[chosen ?? -1];
    if (one === undefined) {
      if (request.toolChoice === 'required') yield { type: 'end', stop: 'end', usage };
      else yield* generateText(live, request, usage, signal);
      return;
    }
    const { tool, schema } = one;
    let text = '';
    let spent = usage;
    const maxTokens = request.maxOutputTokens;
    const asked = { turns, offered, chosen: fitting.indexOf(one), schema, maxTokens };
    for await (const reply of live.call({ type: 'call', ...asked }, { signal })) {
      if (reply.type === 'text') text += reply.delta;
      else if (reply.type === 'end') spent = { ...usage, outputTokens: reply.outputTokens };
    }
    const input = parseCall(text, tool);
    yield { type: 'tool-call', call: { id: 'call-1', name: tool.name, input } };
    yield { type: 'end', stop: 'tool-calls', usage: spent };
  }

  return {
    name: basename(path),
    remote: false,
    contextTokens,
    trainedTokens: first.trainedTokens,
    hasTemplate: first.hasTemplate,
    reach,
    price: { input: 0, output: 0 },
    digest() {
      known ??= digest();
      return known;
    },
    countTokens: (text) => estimateTokens(text, asciiPerToken),
    stream,
    measure: async (given) => await (await kept.live()).measure(given),
    weigh: async (request, { signal }) => {
      const { offered, weights, neutral } = await weighTools(await kept.live(), request, signal);
      const tools = offered.map(({ name }) => name);
      return { tools, weights, ...(neutral === undefined ? {} : { neutral }) };
    },
    [Symbol.asyncDispose]: kept.dispose,
  };
}

const noUsage: ModelUsage = { inputTokens: 0, outputTokens: 0 };

type Fitting = {
  tool: ModelTool;
  shown: Offered;
  schema: NonNullable<ReturnType<typeof callSchema>>;
};

type Weighed = {
  fitting: readonly Fitting[];
  offered: readonly Offered[];
  turns: ReturnType<typeof toTurns>;
  weights: number[];
  neutral?: number[];
  usage: ModelUsage;
};

/** @throws {KernelError} `invalid-argument` when no call fits */
function offer({ tools, maxOutputTokens, values }: ModelRequest): Fitting[] {
  const fitting = tools.flatMap((tool): Fitting[] => {
    const schema = callSchema(tool, { maxOutputTokens, values });
    if (schema === undefined) return [];
    const { name, description } = tool;
    const params = shownParams(tool);
    return [{ tool, schema, shown: { name, description, ...(params && { params }) } }];
  });
  if (fitting.length > 0) return fitting;
  const names = tools.map((tool) => tool.name).join(', ');
  throw new KernelError(
    'invalid-argument',
    `no call of ${names} fits into ${maxOutputTokens} tokens (maxOutputTokens)`,
  );
}

/**
 * The choice that leads all others by a margin, after the odds without a question are subtracted.
 *
 * @returns its index; undefined where no choice leads by enough
 */
export function chooseFrom(
  weights: readonly number[],
  neutral: readonly number[] | undefined,
  margin: number,
): number | undefined {
  const scores = weights.map((weight, index) => weight - (neutral?.[index] ?? 0));
  const order = scores.map((_, index) => index).sort((a, b) => scoreAt(b) - scoreAt(a));
  const [best, second] = order;
  if (best === undefined) return undefined;
  return second === undefined || scoreAt(best) - scoreAt(second) >= margin ? best : undefined;

  function scoreAt(index: number): number {
    return scores[index] ?? Number.NEGATIVE_INFINITY;
  }
}

function addUsage(a: ModelUsage, b: ModelUsage): ModelUsage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
  };
}

function turnsOf(message: ModelMessage, next: ModelMessage | undefined): ChatTurn[] {
  if (message.role === 'user') return [{ role: 'user', text: message.text }];
  // Results are part of their calls.
  if (message.role === 'tool') return [];
  const results = next?.role === 'tool' ? next.results : [];
  const calls = (message.toolCalls ?? []).map(({ id, name, input }) => {
    const found = results.find((result) => result.id === id);
    const text = found === undefined ? 'not called' : found.text;
    return { name, input, result: found?.isError === true ? `Error: ${text}` : text };
  });
  return [{ role: 'model', text: message.text, ...(calls.length === 0 ? {} : { calls }) }];
}

/** Chat templates expect the roles to alternate. */
function joinNeighbours(turns: readonly ChatTurn[]): ChatTurn[] {
  const joined: ChatTurn[] = [];
  for (const turn of turns) {
    const last = joined.at(-1);
    if (last?.role !== turn.role) {
      joined.push({ ...turn });
      continue;
    }
    last.text = [last.text, turn.text].filter((text) => text !== '').join('\n\n');
    if (last.role === 'model' && turn.role === 'model') {
      const calls = [...(last.calls ?? []), ...(turn.calls ?? [])];
      if (calls.length > 0) last.calls = calls;
    }
  }
  return joined;
}

/** A request as turns for a chat template, which decides how calls and results look. */
export function toTurns({ system, messages }: ModelRequest): ChatTurn[] {
  const first: ChatTurn[] = system === '' ? [] : [{ role: 'system', text: system }];
  return joinNeighbours([
    ...first,
    ...messages.flatMap((message, index) => turnsOf(message, messages[index + 1])),
  ]);
}

/**
 * The same conversation without its question; undefined where the question is not its last turn.
 */
export function withoutQuestion(
  turns: readonly ChatTurn[],
  question: string,
): ChatTurn[] | undefined {
  const at = turns.findLastIndex(({ text }) => question !== '' && text.includes(question));
  // After calls and results the model would have to read the whole conversation again.
  if (at < turns.length - 1) return undefined;
  return turns.map((turn, index) =>
    index === at ? { ...turn, text: turn.text.replace(question, () => 'N/A') } : turn,
  );
}
