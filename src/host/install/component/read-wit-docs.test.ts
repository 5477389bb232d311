import { describe, expect, it } from 'vitest';
import { readWitDocs } from './read-wit-docs.ts';

const read = (version: number, text: string) => {
  const bytes = Buffer.concat([Buffer.from('xx'), Buffer.of(version), Buffer.from(text)]);
  const customSections = [{ name: 'package-docs', offset: 2, length: bytes.length - 2 }];
  return readWitDocs({ customSections }, bytes);
};
const text = { instance: 'docs:words/text@0.1.0', name: 'count' };

describe('readWitDocs()', () => {
  it('finds comments of both versions, in one line', () => {
    const old = read(0, '{"interfaces":{"text":{"funcs":{"count":"Counts\\n\\nwords."}}}}');
    expect(old(text)).toBe('Counts words.');
    expect(old({ ...text, name: 'size' })).toBeUndefined();
    expect(old({ name: 'count' })).toBeUndefined();
    const more = '{"stability":"unknown","docs":"Counts."}';
    const now = read(1, `{"worlds":{"w":{"func_exports":{"count":${more}}}}}`);
    expect(now({ name: 'count' })).toBe('Counts.');
    expect(read(1, '{"worlds":{"w":{"funcs":{"count":"Old."}}}}')({ name: 'count' })).toBe('Old.');
  });

  it.each([
    '',
    '[]',
    '{"interfaces":[]}',
    '{"interfaces":{"text":{"funcs":{"count":1}}}}',
    '{"interfaces":{"text":{"funcs":{"count":"\\u001b[2J"}}}}',
    '{"__proto__":{"text":{"funcs":{"count":"x"}}}}',
  ])('takes nothing from %s', (json) => {
    expect(read(1, json)(text)).toBeUndefined();
    expect(read(1, json)({ name: 'constructor' })).toBeUndefined();
  });

  it('takes nothing from a version that it does not know, and bounds a comment', () => {
    const long = JSON.stringify({ interfaces: { text: { funcs: { count: 'a'.repeat(9_000) } } } });
    expect(read(2, long)(text)).toBeUndefined();
    expect(read(1, long)(text)).toHaveLength(2_000);
    expect(readWitDocs({ customSections: [] }, Buffer.of())(text)).toBeUndefined();
  });
});
