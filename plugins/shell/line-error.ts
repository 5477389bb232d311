/** A line that is not run, with the part of it that is not understood or not done here. */
export class LineError extends Error {
  override readonly name = 'LineError';
}
