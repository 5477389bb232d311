import type { Llama, LlamaContextSequence, LlamaModel, Token } from 'node-llama-cpp';
import { LlamaGrammarEvaluationState } from 'node-llama-cpp';
import type { GrammarSchema } from './simplify-schema.ts';

/**
 * The input of a call, token by token under a grammar, until it is whole or the tokens are spent.
 * The most likely token is taken: of a path or a name there is no second best.
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
