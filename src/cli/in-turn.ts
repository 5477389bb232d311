let last: Promise<unknown> = Promise.resolve();

/** Has the terminal to itself: a question waits until the one before it is answered. */
export async function inTurn<Value>(ask: () => Promise<Value>): Promise<Value> {
  const mine = last.then(ask, ask);
  last = mine;
  return await mine;
}
