import { describe, expect, it } from 'vitest';
import { readMetadata } from './read-metadata.ts';

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
