import { describe, expect, it } from 'vitest';
import { looksBinary } from './looks-binary.ts';

describe('looksBinary()', () => {
  it('knows bytes with a zero at their beginning from text', () => {
    expect(looksBinary(Buffer.from('heron\0heron'))).toBe(true);
    expect(looksBinary(Buffer.from('der Häher\n'))).toBe(false);
    expect(looksBinary(new Uint8Array())).toBe(false);
  });
});
