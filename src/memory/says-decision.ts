/** Phrases that people use to state a decision, in the past or present, but not as a question. */
const decided =
  /\b(?:we|i)(?:'ve| have|'ll| will)?\s+(?:now\s+|finally\s+)?(?:decided|agreed|settled on|chose|opted for|are going with|go with|will use)\b|\b(?:decision|decided|agreed|conclusion):\s/i;
const sentences = /(?<=[.!?])\s+|\n+/;

/**
 * Whether a turn states a decision. Decisions are kept longer than the day that turns are kept.
 */
export function saysDecision(text: string): boolean {
  return text
    .split(sentences)
    .some((sentence) => decided.test(sentence) && !/\?\s*$/.test(sentence));
}
