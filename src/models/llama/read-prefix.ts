import type { LlamaContextSequence, Token } from 'node-llama-cpp';
import { sharedTokens } from './call-prompt.ts';
import type { ChatTurn, StateFile, StateReply } from './protocol.ts';

/**
 * The tokens of a prompt that hold nothing of its conversation: what a system text and tools become
 * in the template of the model.
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
  // Two that have nothing in common: where they part, the words of the conversation begin.
  const others = ['0', 'x'].map((text) => render([...begin, { role: 'user', text }]));
  const whole = render(turns);
  return whole.slice(0, sharedTokens([whole, ...others]));
}

/**
 * Has the beginning of a prompt read, out of a file where there is one, and written to one where
 * that is wanted and worth it. What comes after it is read by its caller.
 *
 * @returns undefined where the model holds it already
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
      // Then the prompt is read as usual.
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
