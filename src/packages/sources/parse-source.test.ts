import { describe, expect, it } from 'vitest';
import { parseSource, sourceBase } from './parse-source.ts';

const base = (typed: string): string => sourceBase(parseSource(typed, '/work'));

describe('parseSource()', () => {
  it.each([
    ['x.wasm', { kind: 'file', path: '/work/x.wasm' }],
    ['npm:kit', { kind: 'npm', name: 'kit', range: 'latest' }],
    ['npm:@a/kit@^1.2 || 2', { kind: 'npm', name: '@a/kit', range: '^1.2 || 2' }],
    [
      'oci://ghcr.io/a/kit',
      { kind: 'oci', registry: 'ghcr.io', repository: 'a/kit', reference: 'latest' },
    ],
    [
      'oci://127.0.0.1:5000/kit:1.0.0',
      { kind: 'oci', registry: '127.0.0.1:5000', reference: '1.0.0' },
    ],
    [`oci://ghcr.io/a/kit:1@sha256:${'a'.repeat(64)}`, { reference: `sha256:${'a'.repeat(64)}` }],
    ['https://example.org/kit.wasm#x', { kind: 'https', text: 'https://example.org/kit.wasm' }],
    ['http://127.0.0.1/kit.wasm', { kind: 'https' }],
  ])('reads %s', (typed, source) => {
    expect(parseSource(typed, '/work')).toMatchObject(source);
  });

  it.each([
    'npm:',
    'npm:Kit',
    'npm:kit@file:x',
    'npm:kit@',
    'oci://',
    'oci://ghcr.io',
    'oci://ghcr.io/A',
    'oci://u@ghcr.io/a',
    'oci://ghcr.io/a@sha256:1',
    'oci://ghcr.io/../a',
    'https://',
    'git://x/y',
  ])('refuses %s', (typed) => {
    expect(() => parseSource(typed, '/work')).toThrow(
      expect.objectContaining({ code: 'invalid-argument' }),
    );
  });
});

describe('sourceBase()', () => {
  it('is the same for versions of one thing, and another for another', () => {
    expect(base('npm:kit@1')).toBe(base('npm:kit'));
    expect(base('oci://ghcr.io/a/kit:1')).toBe(base('oci://ghcr.io/a/kit:2'));
    expect(base('https://e.org/v1.0.0/kit-1.0.0.wasm')).toBe(
      base('https://e.org/v1.2.0/kit-1.2.0.wasm'),
    );
    expect(base('https://e.org/kit.wasm')).not.toBe(base('https://e.org/other.wasm'));
    expect(base('npm:kit')).not.toBe(base('npm:kit2'));
  });
});
