import { describe, expect, it } from 'vitest';
import { requireMemory } from './prepare-plugin.ts';

const plugin = (builtin: boolean) => ({ record: { name: 'a', pages: { a: 100, b: 60 } }, builtin });
const needed = 160 * 65_536;

describe('requireMemory()', () => {
  it('lets pass what fits, to the byte', () => {
    expect(() => requireMemory(plugin(true), needed)).not.toThrow();
  });

  it('names the key and what it has to be at least', () => {
    const raise = `limits.max-memory-bytes to ${needed} or more`;
    expect(() => requireMemory(plugin(true), needed - 1)).toThrow(
      expect.objectContaining({
        code: 'resource-exhausted',
        message: `the plugin a is prepared for ${needed} bytes of memory, limit ${needed - 1} (limits.max-memory-bytes)`,
        hint: expect.stringMatching(new RegExp(`^Set ${raise}`)),
      }),
    );
  });

  it('says that a plugin which is not built in can be prepared for less', () => {
    expect(() => requireMemory(plugin(false), 1)).toThrow(
      expect.objectContaining({
        hint: expect.stringMatching(/^Install the plugin again.+; or set limits/),
      }),
    );
  });
});
