import type { LlamaContextSequence, Token } from 'node-llama-cpp';
import { sharedTokens } from './calls.ts';
import type { ChatTurn, StateFile, StateReply } from './protocol.ts';

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
