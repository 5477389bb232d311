import {
  type ChatHistoryItem,
  type ChatModelFunctionCall,
  type ChatModelFunctions,
  type ChatWrapper,
  type Llama,
  type LlamaContextSequence,
  LlamaGrammarEvaluationState,
  type LlamaModel,
  LlamaText,
  type Token,
} from 'node-llama-cpp';
import type { GrammarSchema } from './call-schema.ts';
import type { ChatTurn, Offered, StateFile, StateReply } from './parse-protocol.ts';

/** A conversation as the library has it, ending in the reply that is to come. */
export function toHistory(turns: readonly ChatTurn[]): ChatHistoryItem[] {
  const history = turns.map((turn): ChatHistoryItem => {
    if (turn.role !== 'model') return { type: turn.role, text: turn.text };
    const calls = (turn.calls ?? []).map(
      ({ name, input, result }): ChatModelFunctionCall => ({
        type: 'functionCall',
        name,
        params: input,
        result,
        startsNewChunk: true,
      }),
    );
    return { type: 'model', response: [...(turn.text === '' ? [] : [turn.text]), ...calls] };
  });
  return [...history, { type: 'model', response: [] }];
}

/**
 * The prompts for choosing a tool, in the form of the model's own template: one up to the place
 * where a call names its tool and, for each tool, one that goes on with its name up to the input.
 */
export function callPrompts(
  model: LlamaModel,
  wrapper: ChatWrapper,
  turns: readonly ChatTurn[],
  offered: readonly Offered[],
): Token[][] {
  const availableFunctions: ChatModelFunctions = Object.fromEntries(
    offered.map(({ name, description, params }) => [
      name,
      // The library's types want schemas written out in the source; these are made at run time.
      { description, ...(params === undefined ? {} : { params: params as { type: 'object' } }) },
    ]),
  );
  const { contextText } = wrapper.generateContextState({
    chatHistory: toHistory(turns),
    availableFunctions,
    documentFunctionParams: true,
  });
  const { call, parallelism } = wrapper.settings.functions;
  return offered.map(({ name }) => {
    const named = LlamaText(call.paramsPrefix).mapValues((value) =>
      typeof value === 'string' ? value.replaceAll('{{functionName}}', name) : value,
    );
    const section = parallelism?.call.sectionPrefix ?? '';
    return LlamaText([contextText, section, call.prefix, name, named]).tokenize(model.tokenizer);
  });
}

/** How many first tokens all prompts share; at least one token of each is not shared. */
export function sharedTokens(prompts: readonly (readonly Token[])[]): number {
  const [first = [], ...others] = prompts;
  let shared = Math.max(0, Math.min(...prompts.map(({ length }) => length)) - 1);
  for (const other of others) {
    let at = 0;
    while (at < shared && first[at] === other[at]) at += 1;
    shared = at;
  }
  return shared;
}

/** A choice that is less likely than the best by this is not followed further. */
const hopeless = 8;

/**
 * How likely each of some continuations is, given that it is one of them: at each token where they
 * part, the model's own odds between the tokens that go on. So a long name is not worse off than a
 * short one, and a choice costs as many steps as there are forks.
 *
 * @param choices tokens of prompt and continuation; none is the beginning of another one
 * @param shared tokens at their beginning that all have
 * @returns natural logarithms, which are those of shares that sum to 1
 */
export async function weighChoices(
  sequence: LlamaContextSequence,
  choices: readonly (readonly Token[])[],
  shared: number,
  signal: AbortSignal,
): Promise<number[]> {
  const weights = choices.map(() => Number.NEGATIVE_INFINITY);

  const visit = async (members: readonly number[], from: number, weight: number): Promise<void> => {
    const [first] = members;
    if (first === undefined) return;
    let at = from;
    const tokenOf = (member: number): Token | undefined => choices[member]?.[at];
    while (members.length > 1 && members.every((member) => tokenOf(member) === tokenOf(first))) {
      if (tokenOf(first) === undefined) break;
      at += 1;
    }
    const groups = new Map<Token | undefined, number[]>();
    for (const member of members) {
      groups.set(tokenOf(member), [...(groups.get(tokenOf(member)) ?? []), member]);
    }
    const isFork = groups.size > 1 && !groups.has(undefined);
    if (!isFork || weight < -hopeless) {
      // A single choice, or choices that cannot be told apart.
      for (const member of members) weights[member] = weight - Math.log(members.length);
      return;
    }
    signal.throwIfAborted();
    const tokens = [...groups.keys()] as Token[];
    const odds = await oddsOf(sequence, (choices[first] ?? []).slice(0, at), tokens);
    const branches = tokens
      .map((token, index) => ({ token, weight: weight + (odds[index] ?? 0) }))
      .sort((a, b) => b.weight - a.weight);
    for (const branch of branches) {
      await visit(groups.get(branch.token) ?? [], at + 1, branch.weight);
    }
  };

  await visit(
    choices.map((_, index) => index),
    shared,
    0,
  );
  return weights;
}

/** The smallest normal number of 32 bits. */
const leastShare = 2 ** -126;

/** How likely some next tokens are compared with each other, as logarithms of shares. */
async function oddsOf(
  sequence: LlamaContextSequence,
  prompt: readonly Token[],
  next: readonly Token[],
): Promise<number[]> {
  const last = prompt.at(-1) as Token;
  await sequence.adaptStateToTokens(prompt.slice(0, -1), false);
  const rest = prompt.slice(sequence.nextTokenIndex, -1);
  const results = await sequence.controlledEvaluate([
    ...rest,
    // Sampling is greedy by default, so the shares of all tokens can be read.
    [last, { generateNext: { probabilities: true } }],
  ]);
  const shares = results.at(-1)?.next.probabilities;
  // Shares that are too small for 32 bits arrive as 0 and count as equal.
  const values = next.map((token) => Math.max(shares?.get(token) ?? 0, leastShare));
  const sum = values.reduce((total, value) => total + value, 0);
  return values.map((value) => Math.log(value / sum));
}

/**
 * The input of a call, token by token under a grammar, until it is whole or the tokens are spent.
 * It takes the most likely token each time: a path or a name has no second best.
 */
export async function writeCall(
  { llama, model, sequence }: { llama: Llama; model: LlamaModel; sequence: LlamaContextSequence },
  options: {
    prompt: readonly Token[];
    schema: GrammarSchema;
    maxTokens: number;
    signal: AbortSignal;
  },
): Promise<{ text: string; tokens: number }> {
  const { prompt, schema, maxTokens, signal } = options;
  const grammar = await llama.createGrammarForJsonSchema(schema as { type: 'object' });
  const grammarEvaluationState = new LlamaGrammarEvaluationState({ model, grammar });
  await sequence.adaptStateToTokens([...prompt.slice(0, -1)], false);
  const rest = prompt.slice(sequence.nextTokenIndex);
  const tokens: Token[] = [];
  let text = '';
  for await (const token of sequence.evaluate([...rest], {
    temperature: 0,
    grammarEvaluationState,
  })) {
    tokens.push(token);
    text = model.detokenize(tokens);
    if (signal.aborted || tokens.length >= maxTokens || isWhole(text)) break;
  }
  return { text, tokens: tokens.length };
}

function isWhole(text: string): boolean {
  if (!text.trimEnd().endsWith('}')) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * The tokens of a prompt before its conversation: the system text and tools in the form of the
 * model's template.
 *
 * @param render tokens of a conversation
 */
export function stablePrefix(
  render: (turns: readonly ChatTurn[]) => Token[],
  turns: readonly ChatTurn[],
): Token[] {
  const begin = turns.slice(
    0,
    Math.max(
      0,
      turns.findIndex(({ role }) => role !== 'system'),
    ),
  );
  // Two conversations with nothing in common: they differ from their first word on.
  const others = ['0', 'x'].map((text) => render([...begin, { role: 'user', text }]));
  const whole = render(turns);
  return whole.slice(0, sharedTokens([whole, ...others]));
}

/**
 * Reads the beginning of a prompt, from a file if there is one, and writes it to a file if that is
 * wanted and worth it. The caller reads the rest.
 *
 * @returns undefined when the model holds it already
 */
export async function readPrefix(
  sequence: LlamaContextSequence,
  prefix: readonly Token[],
  file: StateFile,
): Promise<StateReply | undefined> {
  const isHeld = (): boolean => {
    const held = sequence.contextTokens;
    return prefix.every((token, at) => held[at] === token);
  };
  if (isHeld()) return undefined;
  if ('load' in file) {
    try {
      await sequence.loadStateFromFile(file.load, { acceptRisk: true });
      if (sequence.nextTokenIndex === prefix.length && isHeld()) return { state: 'loaded' };
    } catch {
      // Ignored: the prompt is then read as usual.
    }
    await sequence.clearHistory();
    return { state: 'useless' };
  }
  const startMs = performance.now();
  await sequence.adaptStateToTokens([...prefix], false);
  const rest = prefix.slice(sequence.nextTokenIndex);
  await sequence.evaluateWithoutGeneratingNewTokens([...rest]);
  if (performance.now() - startMs < file.leastMs) return { state: 'none' };
  try {
    const { fileSize } = await sequence.saveStateToFile(file.save);
    return { state: 'saved', bytes: fileSize };
  } catch {
    return { state: 'none' };
  }
}
