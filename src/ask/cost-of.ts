import type { ModelPrice, ModelUsage } from '../contracts/model.ts';

/** What input out of a provider's cache counts where nobody knows its price. */
const cachedShare = 0.1;

/** US dollars of a reply; undefined where neither the provider nor anybody else knows. */
export function costOf(usage: ModelUsage, price: ModelPrice | undefined): number | undefined {
  if (usage.usd !== undefined) return usage.usd;
  if (price === undefined) return undefined;
  const { cachedTokens = 0, cacheWriteTokens = 0 } = usage;
  const plain = Math.max(0, usage.inputTokens - cachedTokens - cacheWriteTokens);
  const { input, output, cached = input, cacheWrite = input } = price;
  const sum =
    plain * input +
    cachedTokens * cached +
    cacheWriteTokens * cacheWrite +
    usage.outputTokens * output;
  return sum / 1e6;
}

/** Tokens of a reply, those out of the cache by what they cost beside the others. */
export function weightOf(usage: ModelUsage, price: ModelPrice | undefined): number {
  const { cachedTokens = 0 } = usage;
  return usage.inputTokens - cachedTokens * (1 - shareOf(price)) + usage.outputTokens;
}

function shareOf(price: ModelPrice | undefined): number {
  if (price?.cached === undefined || price.input === 0) return cachedShare;
  return Math.min(1, price.cached / price.input);
}
