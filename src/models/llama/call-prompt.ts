import {
  type ChatHistoryItem,
  type ChatModelFunctionCall,
  type ChatModelFunctions,
  type ChatWrapper,
  type LlamaModel,
  LlamaText,
  type Token,
} from 'node-llama-cpp';
import type { ChatTurn, Offered } from './protocol.ts';

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
 * A prompt with tools in the form that the model's own template has for them, up to where a call
 * names its tool; for each tool with that name behind it, up to its input.
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

/** How many tokens all have at their beginning; at least one is left of each. */
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
