import { describe, expect, it } from 'vitest';
import { describeUpdate } from './describe-update.ts';

type Compared = Parameters<typeof describeUpdate>[0];

const record = (version: string, more: Partial<Compared> = {}): Compared => ({
  name: 'weather',
  version,
  sha256: version.padStart(64, '0'),
  wants: [],
  tools: [],
  ...more,
});
const nothing = { held: [], granted: [] };
const want = (capability: 'clock' | 'http') => ({ capability, why: 'x' });
const tool = (effect: 'pure' | 'external'): Compared['tools'][number] => ({
  name: 'now',
  description: 'x',
  effect,
  inputSchema: {},
  examples: [],
});

describe('describeUpdate()', () => {
  it('says nothing about the same binary', () => {
    const same = record('1.0.0');
    expect(describeUpdate(same, same, { held: ['clock'], granted: [] })).toEqual([]);
  });

  it('tells newer, older and equal versions apart', () => {
    const kindOf = (old: string, next: string): string | undefined =>
      describeUpdate(record(old), { ...record(next), sha256: 'f'.repeat(64) }, nothing)[0];
    expect(kindOf('1.9.0', '1.10.0')).toBe('It replaces weather 1.9.0 by 1.10.0: a newer version.');
    expect(kindOf('1.10.0', '1.9.0')).toContain('an older version');
    expect(kindOf('1.0.0', '1.0.0-beta.2')).toContain('an older version');
    expect(kindOf('1.0.0-beta.2', '1.0.0-beta.10')).toContain('a newer version');
    expect(kindOf('1.0.0-beta.2', '1.0.0')).toContain('a newer version');
    expect(kindOf('1.0.0', '1.0.0+build')).toContain('another binary of that version');
  });

  it('names what it newly wants, what it may do now and what it no longer holds', () => {
    const old = record('1.0.0', { wants: [want('clock')], tools: [tool('pure')] });
    const next = record('2.0.0', { wants: [want('http')], tools: [tool('external')] });
    expect(describeUpdate(old, next, { held: ['clock', 'kv'], granted: ['kv'] })).toEqual([
      'It replaces weather 1.0.0 by 2.0.0: a newer version.',
      'It now also wants: http.',
      'Not granted until you type: cuervo plugin grant weather http:ORIGIN',
      'It no longer wants: clock.',
      'Its tool now was "pure" and is "external".',
      'It no longer holds what the old one held: clock.',
    ]);
    const given = describeUpdate(old, next, { held: [], granted: ['http:https://a.test'] });
    expect(given.some((line) => line.startsWith('Not granted'))).toBe(false);
    const narrower = describeUpdate(next, old, nothing);
    expect(narrower.some((line) => line.includes('is "pure"'))).toBe(false);
  });
});
