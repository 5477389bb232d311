let last: Promise<unknown> = Promise.resolve();

/** One question at a time: the next one waits for the answer. */
export async function inTurn<Value>(ask: () => Promise<Value>): Promise<Value> {
  const mine = last.then(ask, ask);
  last = mine;
  return await mine;
}
