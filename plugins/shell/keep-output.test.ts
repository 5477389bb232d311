import { describe, expect, it } from 'vitest';
import { keepOutput, readOutput } from './keep-output.ts';

function openStore() {
  const values = new Map<string, string>();
  return {
    values,
    getText: (key: string) => values.get(key),
    setText: (key: string, value: string) => void values.set(key, value),
    remove: (key: string) => void values.delete(key),
  };
}

describe('keepOutput()', () => {
  it('keeps a text of any length in pieces that a value can hold', () => {
    const store = openStore();
    const text = 'grüße 🪵\n'.repeat(80_000);
    const id = keepOutput(store, text);
    expect(id).toMatch(/^[0-9a-f]{16}$/);
    expect(readOutput(store, id)).toBe(text);
    for (const value of store.values.values()) {
      expect(Buffer.byteLength(value)).toBeLessThanOrEqual(1024 * 1024);
    }
  });

  it('lets the oldest go, with all of its pieces', () => {
    const store = openStore();
    const ids = Array.from({ length: 20 }, (_, at) => keepOutput(store, `${at}`.repeat(300_000)));
    expect(ids.filter((id) => readOutput(store, id) !== undefined)).toEqual(ids.slice(-6));
    expect(store.values.size).toBeLessThanOrEqual(6 * 4 + 1);
    expect(readOutput(store, 'ffffffffffffffff')).toBeUndefined();
  });

  it('keeps the same text once', () => {
    const store = openStore();
    const id = keepOutput(store, 'same');
    const size = store.values.size;
    expect(keepOutput(store, 'same')).toBe(id);
    expect(store.values.size).toBe(size);
    expect(keepOutput(store, 'other')).not.toBe(id);
  });

  it('keeps no more than its limit', () => {
    const store = openStore();
    const id = keepOutput(store, 'x'.repeat(3 * 1024 * 1024));
    expect(readOutput(store, id)).toHaveLength(2 * 1024 * 1024);
  });
});
