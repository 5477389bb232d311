/**
 * Names the file in what the system throws while it is written: Node does so only where it is
 * opened.
 */
export function withPath<Value>(path: string, work: () => Value): Value {
  try {
    return work();
  } catch (thrown) {
    if (thrown instanceof Error && !('path' in thrown)) Object.assign(thrown, { path });
    throw thrown;
  }
}
