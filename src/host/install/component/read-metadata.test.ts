import { describe, expect, it } from 'vitest';
import { readMetadata, readWitDocs } from './read-metadata.ts';

function sectionsOf(texts: Readonly<Record<string, string>>): Parameters<typeof readMetadata> {
  let bytes = Buffer.alloc(0);
  const customSections = Object.entries(texts).map(([name, text]) => {
    const offset = bytes.length;
    bytes = Buffer.concat([bytes, Buffer.from(text)]);
    return { name, offset, length: Buffer.byteLength(text) };
  });
  return [{ customSections }, bytes];
}

describe('readMetadata()', () => {
  it('reads what wasm-tools metadata add writes', () => {
    const said = {
      version: '1.2.0',
      description: 'Counts words.',
      homepage: 'https://example.org/',
      licenses: 'MIT',
      authors: 'somebody',
    };
    expect(readMetadata(...sectionsOf(said))).toEqual({
      version: '1.2.0',
      description: 'Counts words.',
      homepage: 'https://example.org/',
      licence: 'MIT',
    });
  });

  it('leaves out what a manifest would not be allowed to say', () => {
    const said = { version: 'new', description: 'a\u001b[2J', homepage: 'http://example.org' };
    expect(readMetadata(...sectionsOf(said))).toEqual({});
    expect(readMetadata(...sectionsOf({ description: 'a'.repeat(5_000) }))).toEqual({});
  });
});

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
