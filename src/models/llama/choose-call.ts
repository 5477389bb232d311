import type { LlamaContextSequence, Token } from 'node-llama-cpp';

/** A choice this much less likely than the best is not looked at closer. */
const hopeless = 8;
/** The smallest normal number of 32 bits. */
const leastShare = 2 ** -126;

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

/** Logarithms of the shares of some next tokens among each other. */
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
    // Greedy by default: no token of the vocabulary is cut off before its share is read.
    [last, { generateNext: { probabilities: true } }],
  ]);
  const shares = results.at(-1)?.next.probabilities;
  // A share too small for 32 bits comes as 0; two of them are alike.
  const values = next.map((token) => Math.max(shares?.get(token) ?? 0, leastShare));
  const sum = values.reduce((total, value) => total + value, 0);
  return values.map((value) => Math.log(value / sum));
}
