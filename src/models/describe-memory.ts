import type { MemoryHit } from '../contracts/memory.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** `5 minutes`, `3 hours`, `12 days`: the largest whole unit; below a minute `moments`. */
export function describeAge(ageMs: number): string {
  for (const [unitMs, name] of [
    [dayMs, 'day'],
    [hourMs, 'hour'],
    [minuteMs, 'minute'],
  ] as const) {
    const count = Math.floor(ageMs / unitMs);
    if (count >= 1) return `${count} ${name}${count === 1 ? '' : 's'}`;
  }
  return 'moments';
}

/** `memory interact, question, 3 hours ago, from notes.md`: layer, kind, age and source of a hit. */
export function describeMemory(hit: MemoryHit, nowMs: number): string {
  const source = hit.source === undefined ? '' : `, from ${hit.source}`;
  return `memory ${hit.layer}, ${hit.kind}, ${describeAge(nowMs - hit.ts)} ago${source}`;
}
