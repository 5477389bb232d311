import { describe, expect, it } from 'vitest';
import { pieceWeights } from './piece-weights.ts';

describe('pieceWeights()', () => {
  it('weighs what is rare among the texts more than what is in each', () => {
    const pool = ['Anna: the lake', 'Anna: the boat', 'Anna: the shed by the lake'];
    const [name, lake, boat, none] = pieceWeights(['anna', 'lake', 'boat', 'moon'], pool);
    expect(name).toBeLessThan(lake ?? 0);
    expect(lake).toBeLessThan(boat ?? 0);
    expect(boat).toBeLessThan(none ?? 0);
    expect(none).toBeCloseTo(Math.log(1 + 3.5 / 0.5) ** 0.75, 12);
  });

  it('looks for pieces without the signs of a tokenizer, and lets signs count little', () => {
    const [piece, word, sign] = pieceWeights(['##ing', '▁sing', '?'], ['singing']);
    expect(piece).toBe(word);
    expect(sign).toBe(0.16);
  });
});
