import type { getDocumentProxy } from 'unpdf';
import { maxPages, maxTextCharacters, type ReadPages } from './read-pages.ts';

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
