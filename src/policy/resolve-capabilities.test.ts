import { describe, expect, it } from 'vitest';
import type { CapabilityName } from '../contracts/capabilities.ts';
import { formatGrant, parseGrant } from './parse-grant.ts';
import { resolveCapabilities } from './resolve-capabilities.ts';

function resolved(wants: CapabilityName[], grants: string[]): string[] {
  const manifest = { wants: wants.map((capability) => ({ capability, why: 'x' })) };
  return resolveCapabilities(manifest, grants.map(parseGrant)).map(formatGrant);
}

describe('resolveCapabilities()', () => {
  it('is what is both wanted and granted', () => {
    expect(resolved(['fs', 'clock'], ['fs:work', 'fs:docs', 'kv'])).toEqual(['fs:work', 'fs:docs']);
    expect(resolved(['fs'], [])).toEqual([]);
    expect(resolved([], ['fs:work'])).toEqual([]);
  });

  it('does not take fs-write for fs', () => {
    expect(resolved(['fs'], ['fs-write:work'])).toEqual([]);
  });

  it('adds log where it is wanted, without a grant, and each grant once', () => {
    expect(resolved(['log', 'kv'], ['kv', 'kv'])).toEqual(['log', 'kv']);
    expect(resolved(['kv'], ['kv'])).toEqual(['kv']);
  });
});
