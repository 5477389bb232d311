import type { BudgetMeter } from '../contracts/agent.ts';
import { KernelError } from '../contracts/error.ts';
import type { ModelPrice, ModelUsage } from '../contracts/model.ts';
import { type BudgetKey, markSpent } from '../contracts/talk.ts';
import { costOf, weightOf } from './cost-of.ts';

export type BudgetLimits = {
  rounds: number;
  toolCalls: number;
  /** tokens, those from a provider's cache counted by their lower price */
  tokens: number;
  durationMs: number;
  /** US dollars of this question, and of all questions of the day */
  usd?: number;
  dayUsd?: number;
};

/** The model that spends the budget. */
export type Spender = {
  price: ModelPrice | undefined;
  /** a model of this machine caches its prompts without reporting it */
  keepsPrompts: boolean;
  /** US dollars spent earlier on this day */
  spentTodayUsd: number;
  /** why its spending cannot be added to the day's */
  uncounted?: KernelError | undefined;
};

/** The longest time of one timer; a longer one would fire at once. */
const maxTimerMs = 2 ** 31 - 1;
/** An answer with fewer tokens says nothing. */
const minAnswerTokens = 64;
/** From here on a person is told. */
const warnShare = 0.8;

const noSpender: Spender = { price: undefined, keepsPrompts: false, spentTodayUsd: 0 };

export function createBudget(
  limits: BudgetLimits,
  clock: { nowMs(): number },
  spender: Spender = noSpender,
): BudgetMeter {
  const { price, keepsPrompts, spentTodayUsd, uncounted } = spender;
  const { usd: maxUsd = Number.POSITIVE_INFINITY, dayUsd = Number.POSITIVE_INFINITY } = limits;
  const startedMs = clock.nowMs();
  const usage: ModelUsage = { inputTokens: 0, outputTokens: 0 };
  const told = new Set<BudgetKey>();
  let rounds = 0;
  let toolCalls = 0;
  let tokens = 0;
  let usd: number | undefined = price === undefined ? undefined : 0;
  /** tokens that the provider may have cached: all of the last prompt */
  let keptTokens = 0;

  const leftMs = (): number => limits.durationMs - (clock.nowMs() - startedMs);
  const timeSpent = (): KernelError =>
    spent('duration-ms', limits.durationMs - leftMs(), limits.durationMs, 'ms');
  const checkTime = (): void => {
    if (leftMs() <= 0) throw timeSpent();
  };
  /** What a prompt will cost, as far as the last round tells. */
  const expected = (promptTokens: number): ModelUsage => {
    const cachedTokens = Math.min(keptTokens, promptTokens);
    return { inputTokens: promptTokens, outputTokens: 0, cachedTokens };
  };
  /** How many tokens of an answer the money pays for. */
  const affordable = (key: BudgetKey, limit: number, before: number, promptUsd: number): number => {
    const left = limit - before - promptUsd;
    if (price === undefined || limit === Number.POSITIVE_INFINITY || price.output === 0) {
      return Number.POSITIVE_INFINITY;
    }
    const answerTokens = Math.floor((left * 1e6) / price.output);
    if (answerTokens >= minAnswerTokens) return answerTokens;
    throw spent(key, round(before + promptUsd), limit, 'US dollars');
  };
  return {
    usage,
    takeRound: (promptTokens) => {
      checkTime();
      if (rounds >= limits.rounds) throw spent('rounds', rounds, limits.rounds, 'rounds');
      const next = expected(promptTokens);
      const weighed = Math.ceil(tokens + weightOf(next, price));
      if (weighed > limits.tokens) throw spent('tokens', weighed, limits.tokens, 'tokens');
      const promptUsd = costOf(next, price) ?? 0;
      // Without a count of the day, no question would ever reach the day's limit.
      if (uncounted !== undefined && dayUsd < Number.POSITIVE_INFINITY && promptUsd > 0)
        throw notCounted(uncounted, dayUsd);
      const today = spentTodayUsd + (usd ?? 0);
      const paid = Math.min(
        affordable('usd', maxUsd, usd ?? 0, promptUsd),
        affordable('day-usd', dayUsd, today, promptUsd),
      );
      rounds += 1;
      return Math.min(paid, Math.max(minAnswerTokens, limits.tokens - weighed));
    },
    takeToolCalls: (count) => {
      checkTime();
      if (toolCalls + count > limits.toolCalls) {
        throw spent('tool-calls', toolCalls + count, limits.toolCalls, 'tool calls');
      }
      toolCalls += count;
    },
    roundsLeft: () => limits.rounds - rounds,
    toolCallsLeft: () => limits.toolCalls - toolCalls,
    timeLeftMs: () => Math.max(1, leftMs()),
    watchTime: () => {
      const end = new AbortController();
      let timer: NodeJS.Timeout;
      // One timer is too short for a long budget, and the clock may have stood still.
      const look = (): void => {
        if (leftMs() <= 0) end.abort(timeSpent());
        else timer = setTimeout(look, Math.min(leftMs(), maxTimerMs));
      };
      look();
      return { signal: end.signal, [Symbol.dispose]: () => clearTimeout(timer) };
    },
    addUsage: (more) => {
      const kept = Math.min(keptTokens, more.inputTokens);
      const whole = keepsPrompts && !more.cachedTokens ? { ...more, cachedTokens: kept } : more;
      // Expect a cache only after the provider was seen to use one.
      if (keepsPrompts || (more.cachedTokens ?? 0) + (more.cacheWriteTokens ?? 0) > 0) {
        keptTokens = more.inputTokens;
      }
      usage.inputTokens += more.inputTokens;
      usage.outputTokens += more.outputTokens;
      add(usage, 'cachedTokens', more.cachedTokens);
      add(usage, 'cacheWriteTokens', more.cacheWriteTokens);
      tokens += weightOf(whole, price);
      const cost = costOf(more, price);
      add(usage, 'usd', cost);
      if (cost !== undefined) usd = (usd ?? 0) + cost;
      return cost;
    },
    spent: () => ({
      rounds,
      toolCalls,
      tokens: Math.ceil(tokens),
      usd,
      durationMs: clock.nowMs() - startedMs,
    }),
    warnings: () => {
      const parts: [BudgetKey, number, number, string][] = [
        ['rounds', rounds, limits.rounds, 'rounds'],
        ['tool-calls', toolCalls, limits.toolCalls, 'tool calls'],
        ['tokens', Math.ceil(tokens), limits.tokens, 'tokens'],
        ['usd', round(usd ?? 0), maxUsd, 'US dollars'],
        ['day-usd', round(spentTodayUsd + (usd ?? 0)), dayUsd, 'US dollars of this day'],
        ['duration-ms', clock.nowMs() - startedMs, limits.durationMs, 'ms'],
      ];
      return parts.flatMap(([key, value, limit, unit]) => {
        if (value < limit * warnShare || value === 0 || told.has(key)) return [];
        told.add(key);
        return [`${value} of ${limit} ${unit} are spent (budget.${key})`];
      });
    },
  };
}

function add(
  usage: ModelUsage,
  key: 'cachedTokens' | 'cacheWriteTokens' | 'usd',
  more: number | undefined,
): void {
  if (more !== undefined) usage[key] = (usage[key] ?? 0) + more;
}

/** To a hundredth of a cent. */
function round(usd: number): number {
  return Math.round(usd * 1e4) / 1e4;
}

function notCounted(cause: KernelError, limit: number): KernelError {
  const error = new KernelError(
    'resource-exhausted',
    `the model is not asked: what it costs cannot be counted for the day, whose limit is ${limit} US dollars (budget.day-usd): ${cause.message}`,
    { cause, ...(cause.hint === undefined ? {} : { hint: cause.hint }) },
  );
  return markSpent(error, 'day-usd');
}

const flags: Partial<Record<BudgetKey, string>> = {
  tokens: '--max-tokens',
  usd: '--max-cost',
  'duration-ms': '--max-time',
};

function spent(key: BudgetKey, value: number, limit: number, unit: string): KernelError {
  const flag = flags[key] === undefined ? '' : `, or give ${flags[key]} for this question`;
  const error = new KernelError(
    'resource-exhausted',
    `the budget is spent: ${value} ${unit}, limit ${limit}`,
    { hint: `Ask a smaller question, or raise budget.${key} in config.toml${flag}.` },
  );
  return markSpent(error, key);
}
