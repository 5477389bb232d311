/** A day, or a first and a last one, as `resolveDays` writes them into a fact. */
export const datedPart = /\((?:\d{4}-\d\d-\d\d to )?(\d{4}-\d\d-\d\d)\)/g;

/** Whether the last day that a text names was ahead when it was said, and is over now. */
export function hasPassed({ text, ts }: { text: string; ts: number }, nowMs: number): boolean {
  const days = [...text.matchAll(datedPart)].map(([, day]) => Date.parse(`${day}T23:59:59.999Z`));
  const last = Math.max(...days);
  return last >= ts && last < nowMs;
}
