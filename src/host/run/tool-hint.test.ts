import { describe, expect, it } from 'vitest';
import { toolHint } from './tool-hint.ts';

describe('toolHint()', () => {
  it.each([
    'invalid-argument',
    'not-found',
    'tool-failed',
    'conflict',
    'resource-exhausted',
  ] as const)('names the tool for %s', (code) => {
    expect(toolHint('file.read', code, 'file.read: no')).toMatch(/: cuervo tools file\.read$/);
  });

  it('speaks of config.toml for the limit that has a key there, and for no other', () => {
    const large = 'the tool returned 9 bytes, limit 8 (limits.max-result-bytes)';
    expect(toolHint('a.b', 'resource-exhausted', large)).toContain('limits.max-result-bytes');
    const file = 'work:a has 5000000 bytes, limit 4194304';
    expect(toolHint('a.b', 'resource-exhausted', file)).not.toContain('config.toml');
  });

  it('leaves what the code alone says', () => {
    expect(toolHint('a.b', 'deadline-exceeded', 'too slow')).toBeUndefined();
  });
});
