import { describe, expect, it } from 'vitest';
import { defaultLimits, hostCallsOf } from './limits.ts';

describe('hostCallsOf()', () => {
  it('gives what a plugin asks for, as far as the person lets it', () => {
    expect(hostCallsOf(undefined, defaultLimits)).toBe(1000);
    expect(hostCallsOf(5000, defaultLimits)).toBe(5000);
    expect(hostCallsOf(5, defaultLimits)).toBe(1000);
    expect(hostCallsOf(5000, { ...defaultLimits, maxAskedHostCalls: 2000 })).toBe(2000);
    expect(hostCallsOf(5000, { ...defaultLimits, maxAskedHostCalls: 10 })).toBe(1000);
  });

  it('keeps to what the person lowered the usual limit to', () => {
    expect(hostCallsOf(5000, { ...defaultLimits, maxHostCalls: 10 })).toBe(10);
  });
});
