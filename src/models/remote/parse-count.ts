/** No reply has so many tokens, and none costs so many dollars. */
const most = 1e9;

/**
 * A number that a server reports of its own work. One that cannot be, such as a negative one or a
 * text, is not taken, so that no budget is paid back by it.
 */
export function parseCount(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= most ? value : undefined;
}
