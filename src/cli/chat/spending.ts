import type { EventOf } from '../../contracts/events.ts';

type Spent = EventOf<'usage'>['spent'];

/** The cost of a chat's questions, and how many have no known price. */
export type Spending = {
  add(spent: Spent): void;
  total(): Spent & { questions: number };
};

export function createSpending(): Spending {
  const sum = { questions: 0, rounds: 0, toolCalls: 0, tokens: 0, durationMs: 0 };
  let usd: number | undefined;
  return {
    add: (spent) => {
      sum.questions += 1;
      sum.rounds += spent.rounds;
      sum.toolCalls += spent.toolCalls;
      sum.tokens += spent.tokens;
      sum.durationMs += spent.durationMs;
      if (spent.usd !== undefined) usd = (usd ?? 0) + spent.usd;
    },
    total: () => (usd === undefined ? { ...sum } : { ...sum, usd }),
  };
}
