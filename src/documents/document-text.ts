import type { unzipSync } from 'fflate';
import type { getDocumentProxy } from 'unpdf';

/**
 * The text of a PDF, page by page.
 *
 * @param open of unpdf
 */
export async function pdfText(
  bytes: Uint8Array,
  open: typeof getDocumentProxy,
): Promise<ReadPages> {
  const document = await open(bytes, {
    // Fonts, pictures and forms are not drawn; warnings of the library are for its authors.
    disableFontFace: true,
    useSystemFonts: false,
    enableXfa: false,
    verbosity: 0,
  });
  const pages: string[] = [];
  let characters = 0;
  for (let number = 1; number <= document.numPages; number += 1) {
    if (number > maxPages || characters > maxTextCharacters) return { pages, isCut: true };
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    const text = items.map((item) =>
      'str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '',
    );
    pages.push(text.join(''));
    characters += pages.at(-1)?.length ?? 0;
    page.cleanup();
  }
  return { pages };
}

/** Why a PDF was not read, in words for a person. */
export function pdfFault(thrown: unknown): string {
  const { name } = thrown as { name?: unknown };
  return name === 'PasswordException' ? 'it is encrypted, and needs a password' : 'it is damaged';
}

/** Bytes of the unpacked text: a small archive may say that it holds gigabytes. */
const maxXmlBytes = 64 * 1024 * 1024;
const bodyName = 'word/document.xml';

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

/**
 * The text of a Word file: one line a paragraph. Its pages are known only where Word wrote them
 * down.
 *
 * @param unzip of fflate
 */
export function docxText(bytes: Uint8Array, unzip: typeof unzipSync): ReadPages {
  let tooLarge = 0;
  const files = unzip(bytes, {
    filter: ({ name, originalSize }) => {
      if (name === bodyName && originalSize > maxXmlBytes) tooLarge = originalSize;
      return name === bodyName && tooLarge === 0;
    },
  });
  if (tooLarge > 0)
    return { fault: `its text has ${tooLarge} bytes unpacked, limit ${maxXmlBytes}` };
  const body = files[bodyName];
  if (body === undefined) return { fault: 'it is no Word file' };
  const xml = new TextDecoder().decode(body);
  // What is unpacked ends where the archive said that it does.
  if (!/<\/w:document>\s*$/.test(xml.slice(-100))) return { fault: 'it is damaged' };
  return { pages: pagesOf(xml) };
}

function pagesOf(xml: string): string[] {
  const pages: string[] = [];
  let text = '';
  const endPage = (): void => {
    pages.push(text);
    text = '';
  };
  // Nothing in it goes past the next "<", so this takes one pass.
  for (const [, tag = '', attributes = '', behind = ''] of xml.matchAll(
    /<(\/?[\w:]+)(?![\w:])([^<>]*)>([^<]*)/g,
  )) {
    if (tag === 'w:t') text += decoded(behind);
    // With attributes it says where tabs end.
    else if (tag === 'w:tab' && /^\s*\/?$/.test(attributes)) text += '\t';
    else if (tag === '/w:p') text += '\n';
    else if (tag === 'w:lastRenderedPageBreak') endPage();
    else if (tag === 'w:br' || tag === 'w:cr') {
      if (!/w:type="page"/.test(attributes)) text += '\n';
    }
  }
  endPage();
  return pages;
}

function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[name] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

export const maxPages = 5000;
/** Characters of the text of one document. */
export const maxTextCharacters = 8 * 1024 * 1024;

/** What the process that reads a document says of it. */
export type ReadPages =
  | {
      pages: readonly string[];
      /** the rest is left out: `maxPages`, `maxTextCharacters` */
      isCut?: boolean;
    }
  /** why it has no text, in words that fit behind "its path: " */
  | { fault: string };
