/**
 * The program that reads the text of a document that a stranger made: its bytes on standard input,
 * `ReadPages` as JSON on standard output. It gets the kind of the document and the folder of packages, and
 * ends after one document. It is confined to its own code and those packages.
 */
import { readFileSync, writeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { docxText, pdfFault, pdfText, type ReadPages } from './document-text.ts';

const [, , kind, packages] = process.argv;

const load = async <Module>(file: string): Promise<Module> =>
  (await import(pathToFileURL(`${packages}/${file}`).href)) as Module;

async function readDocument(): Promise<ReadPages> {
  if (kind === 'docx') {
    const { unzipSync } = await load<typeof import('fflate')>('fflate/esm/index.mjs');
    try {
      return docxText(readFileSync(0), unzipSync);
    } catch {
      return { fault: 'it is damaged' };
    }
  }
  const { getDocumentProxy } = await load<typeof import('unpdf')>('unpdf/dist/index.mjs');
  try {
    return await pdfText(new Uint8Array(readFileSync(0)), getDocumentProxy);
  } catch (thrown) {
    return { fault: pdfFault(thrown) };
  }
}

const text = Buffer.from(JSON.stringify(await readDocument()));
for (let sent = 0; sent < text.length; ) {
  try {
    sent += writeSync(1, text, sent);
  } catch (thrown) {
    // The pipe is full for a moment.
    if ((thrown as NodeJS.ErrnoException).code !== 'EAGAIN') throw thrown;
  }
}
