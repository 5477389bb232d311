import { zipSync } from 'fflate';

/** A PDF with a page for each list of lines, in the plainest form that there is. */
export function pdfOf(pages: readonly (readonly string[])[]): Uint8Array {
  const count = pages.length;
  const texts = pages.map((lines) => {
    const shown = lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj T*`).join('\n');
    return `BT /F1 12 Tf 14 TL 72 720 Td\n${shown}\nET`;
  });
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${count} /Kids [${pages.map((_, at) => `${4 + 2 * at} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...texts.flatMap((text, at) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + 2 * at} 0 R >>`,
      `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    ]),
  ];
  let file = '%PDF-1.4\n';
  const places = objects.map((object, at) => {
    const place = file.length;
    file += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const table = file.length;
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`;
  file += `trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}

/** A Word file of these paragraphs. */
export function docxOf(paragraphs: readonly string[]): Uint8Array {
  const body = paragraphs.map((text) => `<w:p><w:r><w:t>${escaped(text)}</w:t></w:r></w:p>`);
  return docxOfXml(
    `<?xml version="1.0"?><w:document xmlns:w="urn:w"><w:body>${body.join('')}</w:body></w:document>`,
  );
}

/** A Word file whose document is this text. */
export function docxOfXml(xml: string): Uint8Array {
  return zipSync({ 'word/document.xml': new TextEncoder().encode(xml) });
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** A PDF that wants a password which nobody has. */
export const encryptedPdf: Uint8Array = encrypted();

function encrypted(): Uint8Array {
  const plain = Buffer.from(pdfOf([['secret']])).toString('latin1');
  const key = '00'.repeat(32);
  const dictionary = `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${key}> /U <${key}> >> /ID [<00> <00>]`;
  return Buffer.from(plain.replace('/Root 1 0 R', `/Root 1 0 R ${dictionary}`), 'latin1');
}
