import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../tests/support/runs.ts';
import { KernelError } from '../../../contracts/error.ts';
import { parseManifest } from './parse-manifest.ts';

const seed = 20_261_121;

const good = {
  name: 'word-count',
  version: '0.1.0',
  description: 'Counts words of texts and files.',
  licence: 'MIT',
  homepage: 'https://example.org/wordcount',
  wants: [
    { capability: 'fs', why: 'reads the files whose words it counts' },
    { capability: 'log', why: 'says how far it is' },
  ],
};

function bytesOf(value: unknown): Uint8Array {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
}

function refusal(bytes: Uint8Array): string | undefined {
  try {
    parseManifest(bytes);
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof KernelError)) throw thrown;
    expect(thrown.code).toBe('plugin-fault');
    expect(thrown.message).toMatch(/^\P{C}{10,600}$/u);
    return thrown.message;
  }
}

describe('parseManifest()', () => {
  it('reads a manifest, with and without what may be left out', () => {
    expect(parseManifest(bytesOf(good))).toEqual(good);
    const { licence, homepage, ...rest } = good;
    expect(parseManifest(bytesOf(rest))).toEqual(rest);
    expect(parseManifest(bytesOf({ ...rest, wants: [] })).wants).toEqual([]);
  });

  it('reads versions with suffixes and descriptions in other scripts', () => {
    const version = '1.2.3-beta.1+build.5';
    expect(parseManifest(bytesOf({ ...good, version })).version).toBe(version);
    const description = 'Zählt Wörter. 単語を数えます。 Считает слова.';
    expect(parseManifest(bytesOf({ ...good, description })).description).toBe(description);
  });

  it.each<[string, object, string]>([
    ['a name in capitals', { name: 'WordCount' }, 'manifest.name is "WordCount", not a name like'],
    ['a letter of Cyrillic', { name: 'ѕhout' }, 'manifest.name is "\\u0455hout", not a name like'],
    ['a name with a path', { name: '../x' }, 'manifest.name is "../x"'],
    ['a name with a line break at its end', { name: 'x\n' }, 'manifest.name holds'],
    ['a long name', { name: 'a'.repeat(65) }, 'manifest.name has 65 characters, limit 64'],
    ['a version with a v', { version: 'v1.0.0' }, 'manifest.version is "v1.0.0", not a version'],
    ['a version of two parts', { version: '1.0' }, 'manifest.version is "1.0"'],
    ['a number as a version', { version: 1 }, 'manifest.version is not a string'],
    ['no description', { description: undefined }, 'manifest.description is missing'],
    ['an empty description', { description: '' }, 'manifest.description is empty'],
    ['a long description', { description: 'a'.repeat(501) }, 'has 501 characters, limit 500'],
    [
      'a terminal escape',
      { description: 'a\u001b[31m' },
      'manifest.description holds the unprintable character U+001B',
    ],
    ['an override of direction', { description: 'a\u202eb' }, 'U+202E'],
    ['an isolate', { description: 'a\u2066b' }, 'U+2066'],
    ['a zero-width space', { description: 'a\u200bb' }, 'U+200B'],
    ['a tag character', { description: 'a\u{e0041}b' }, 'U+E0041'],
    ['a variation selector', { description: 'a\u{e0100}b' }, 'U+E0100'],
    ['a lone surrogate', { description: 'a\ud800b' }, 'U+D800'],
    ['a line break', { description: 'a\nb' }, 'U+000A'],
    [
      'a script as homepage',
      { homepage: 'javascript:alert(1)' },
      'manifest.homepage is "javascript:alert(1)", not an https address',
    ],
    ['a homepage with a password', { homepage: 'https://a:b@example.org' }, 'manifest.homepage'],
    ['http as homepage', { homepage: 'http://example.org' }, 'manifest.homepage'],
    ['an empty licence', { licence: '' }, 'manifest.licence is empty'],
    ['null as licence', { licence: null }, 'manifest.licence is not a string'],
    ['no wants', { wants: undefined }, 'manifest.wants is missing'],
    ['wants as an object', { wants: {} }, 'manifest.wants is not a list'],
    [
      'an unknown capability',
      { wants: [{ capability: 'network', why: 'x' }] },
      'manifest.wants[0].capability is "network", not one of fs,',
    ],
    ['no why', { wants: [{ capability: 'fs' }] }, 'manifest.wants[0].why is missing'],
    [
      'a why that hides',
      { wants: [...good.wants, { capability: 'kv', why: 'a\u202eb' }] },
      'manifest.wants[2].why holds the unprintable character U+202E',
    ],
    [
      'a why of 201 characters',
      { wants: [{ capability: 'fs', why: 'a'.repeat(201) }] },
      'limit 200',
    ],
    [
      'a capability twice',
      { wants: [good.wants[0], good.wants[0]] },
      'manifest.wants[1] names a capability a second time',
    ],
    ['an unknown field', { install: 'curl | sh' }, 'manifest.install is not a field of a manifest'],
    [
      'an unknown field of a want',
      { wants: [{ capability: 'fs', why: 'x', root: '/' }] },
      'manifest.wants[0].root is not a field',
    ],
    ['a field whose name a terminal would execute', { '\u001b]0;x\u0007': 1 }, '\\u{1b}'],
  ])('refuses %s', (_name, change, sentence) => {
    expect(refusal(bytesOf({ ...good, ...change }))).toContain(sentence);
  });

  it.each<[string, Uint8Array, string]>([
    ['65,537 bytes', new Uint8Array(65_537), 'manifest has 65537 bytes, limit 65536'],
    ['bytes that are not UTF-8', Uint8Array.of(0x7b, 0xff), 'manifest is not UTF-8'],
    ['what is not JSON', bytesOf('{name:'), 'manifest is not JSON'],
    ['a list', bytesOf([good]), 'manifest is not a JSON object'],
    ['null', bytesOf('null'), 'manifest is not a JSON object'],
    ['nothing', new Uint8Array(0), 'manifest is not JSON'],
    ['a byte order mark', bytesOf(`\ufeff${JSON.stringify(good)}`), 'manifest is not JSON'],
    ['30,000 brackets', bytesOf('['.repeat(30_000)), 'nested deeper than 64'],
  ])('refuses %s', (_name, bytes, sentence) => {
    expect(refusal(bytes)).toContain(sentence);
  });

  it('takes nothing over from a prototype', () => {
    const text = JSON.stringify(good).replace('{', '{"__proto__":{"licence":"x"},');
    const message = refusal(bytesOf(text));
    const parsed = message === undefined ? parseManifest(bytesOf(text)) : undefined;
    expect(parsed ?? good).toEqual(good);
  });

  it('throws plugin-fault and nothing else, for any JSON and any bytes', () => {
    const near = fc.record({
      name: fc.oneof(fc.constant('x'), fc.jsonValue()),
      version: fc.oneof(fc.constant('1.0.0'), fc.string({ unit: 'binary' })),
      description: fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue()),
      wants: fc.oneof(fc.array(fc.jsonValue()), fc.jsonValue()),
    });
    fc.assert(
      fc.property(fc.oneof(near, fc.jsonValue()), (value) => {
        refusal(bytesOf(JSON.stringify(value)));
      }),
      { seed, numRuns: runs(2_000) },
    );
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => void refusal(bytes)),
      { seed },
    );
  });
});
