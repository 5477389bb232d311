import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { docxOf, docxOfXml } from '../../tests/support/documents.ts';
import { docxText } from './document-text.ts';

const read = (bytes: Uint8Array) => docxText(bytes, unzipSync);
const document = (body: string) => `<w:document><w:body>${body}</w:body></w:document>`;

describe('docxText()', () => {
  it('gives a line for each paragraph, with its signs', () => {
    expect(read(docxOf(['Ask Mirela', 'a < b & "c"', 'Grüße – 日本']))).toEqual({
      pages: ['Ask Mirela\na < b & "c"\nGrüße – 日本\n'],
    });
  });

  it('joins runs, keeps tabs and line ends, and knows the pages that Word wrote down', () => {
    const xml = document(
      '<w:p><w:pPr><w:tabs><w:tab w:val="left"/></w:tabs></w:pPr>' +
        '<w:r><w:t xml:space="preserve">one </w:t></w:r><w:r><w:t>word</w:t><w:tab/><w:t>&#x41;&#66;</w:t></w:r></w:p>' +
        '<w:p><w:r><w:lastRenderedPageBreak/><w:t>two</w:t><w:br/><w:t>three</w:t></w:r></w:p>',
    );
    expect(read(docxOfXml(xml))).toEqual({ pages: ['one word\tAB\n', 'two\nthree\n'] });
  });

  it('refuses what unpacks to more than its limit before it is unpacked', () => {
    const bomb = docxOfXml(document('a'.repeat(65 * 1024 * 1024)));
    expect(bomb.length).toBeLessThan(100_000);
    expect(read(bomb)).toEqual({
      fault: 'its text has 68157482 bytes unpacked, limit 67108864',
    });
  });

  it('says of an archive that lies about its size, and of one that is cut, that it is damaged', () => {
    const xml = document('<w:p><w:r><w:t>words</w:t></w:r></w:p>'.repeat(50));
    const lying = Buffer.from(docxOfXml(xml));
    // The size unpacked, in the directory at the end.
    const at = lying.indexOf(Buffer.from('PK\x01\x02', 'latin1'));
    lying.writeUInt32LE(500, at + 24);
    expect(read(lying)).toEqual({ fault: 'it is damaged' });
    expect(() => read(docxOfXml(xml).subarray(0, 200))).toThrow();
  });

  it('says of another archive that it is no Word file', () => {
    expect(read(docxOfXml('').subarray(0))).toEqual({ fault: 'it is damaged' });
  });
});
