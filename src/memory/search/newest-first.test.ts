import { expect, it } from 'vitest';
import type { MemoryHit } from '../../contracts/memory.ts';
import { newestFirst } from './newest-first.ts';

const hit = (text: string, ts: number, score: number, kind = 'fact'): MemoryHit => ({
  id: text,
  layer: 'interact',
  score,
  text,
  kind,
  tags: [],
  project: '/work',
  ts,
  factors: { fused: 1, layerWeight: 1, decay: 1 },
});

it('newestFirst() puts a change before older facts on its subject, and keeps scores falling', () => {
  const older = hit('the server runs on port 8080', 1, 1);
  const newer = hit('the server runs on Debian 12 now', 3, 0.9);
  expect(newestFirst([older, newer]).map(({ ts, score }) => [ts, score])).toEqual([
    [3, 1],
    [1, 0.9],
  ]);
});

it('newestFirst() leaves other subjects, no changes, worse facts and what is no fact where they are', () => {
  const first = hit('the server runs on port 8080', 1, 1);
  for (const other of [
    hit('the demo runs on Fridays now', 3, 0.9),
    hit('the server runs on Debian 12', 3, 0.9),
    hit('the server runs on Debian 12 now', 3, 0.5),
    hit('the server runs on what?', 3, 0.9, 'question'),
  ]) {
    expect(newestFirst([first, other])).toEqual([first, other]);
  }
});

it('newestFirst() puts another thing said in the same form first, and no other statement', () => {
  const first = hit('the password is blueberry', 1, 1);
  const newer = hit('the password is raspberry', 3, 0.9);
  expect(newestFirst([first, newer])[0]?.text).toBe(newer.text);
  const other = hit('the password is in the safe', 3, 0.9);
  expect(newestFirst([first, other])).toEqual([first, other]);
});
