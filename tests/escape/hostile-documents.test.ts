import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { readDocument } from '../../src/kernel/documents/parse-document.ts';
import { confinePlainly } from '../../src/sandbox/confine-program.ts';
import { createProcessSandbox } from '../../src/sandbox/process-sandbox.ts';
import { pdfOf } from '../support/documents.ts';
import { escapeCase } from './support/escape-case.ts';
import { usePlace } from './support/place.ts';

/** Whoever makes a PDF may find a fault of its reader, and then runs as the reader does. */
const place = usePlace({
  fill: ({ outside }) => writeFileSync(join(outside, 'secret.txt'), 'the outside secret'),
});
const bundle = join(import.meta.dirname, '../../dist/document-child.js');
const { signal } = new AbortController();
const tiers = [
  createProcessSandbox('auto').confine,
  async (...given: Parameters<typeof confinePlainly>) => confinePlainly(...given),
];

/** A reader that was taken over: it runs these lines and says how each ended as a page. */
function takenOver(attempts: readonly string[]): string {
  const packages = join(place.dir, `taken-${attempts.length}/node_modules`);
  const file = join(packages, 'unpdf/dist/index.mjs');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    `const attempts = [${attempts.map((each) => `async () => { ${each} }`).join(',\n')}];
export async function getDocumentProxy() {
  const said = [];
  for (const attempt of attempts) {
    try { said.push('did: ' + String(await attempt())); }
    catch (thrown) { said.push('failed: ' + (thrown.code ?? thrown.message)); }
  }
  const items = said.map((str) => ({ str, hasEOL: true }));
  return { numPages: 1, getPage: async () => ({ getTextContent: async () => ({ items }), cleanup() {} }) };
}`,
  );
  return packages;
}

escapeCase('reader of documents that was taken over', {
  denied: [
    'it reads no other file, writes none, connects nowhere and starts nothing, in either tier',
    async () => {
      const server = createServer((_, response) => response.end('reached')).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const secret = JSON.stringify(join(place.outside, 'secret.txt'));
      const written = join(place.outside, 'written.txt');
      const packages = takenOver([
        `return (await import('node:fs')).readFileSync(${secret}, 'utf8')`,
        `return (await import('node:fs')).readFileSync('/proc/self/environ', 'utf8')`,
        `return (await import('node:fs')).writeFileSync(${JSON.stringify(written)}, 'x')`,
        `return await (await fetch('http://127.0.0.1:${port}/')).text()`,
        `return (await import('node:child_process')).execFileSync('/bin/true')`,
        `return new (await import('node:worker_threads')).Worker('1', { eval: true })`,
        `return process.dlopen({ exports: {} }, '/lib/x86_64-linux-gnu/libm.so.6')`,
        `return new Function('return 1')()`,
      ]);
      try {
        for (const confine of tiers) {
          const { lines } = await readDocument(pdfOf([['x']]), 'pdf', {
            ...{ shown: '"x.pdf"', signal },
            ports: { confine, bundle, packages: () => packages },
          });
          const said = lines.filter((line) => line !== '');
          expect(said).toHaveLength(8);
          for (const each of said) expect(each).toMatch(/^failed: /);
        }
      } finally {
        server.close();
      }
      expect(() => readFileSync(written)).toThrow();
    },
  ],
  control: [
    'the same reader says what it may: the text of a document, and its own code',
    async () => {
      const own = takenOver([
        `return (await import('node:fs')).readFileSync(new URL(import.meta.url), 'utf8').length > 0`,
      ]);
      for (const confine of tiers) {
        const ports = { confine, bundle, packages: () => own };
        const taken = await readDocument(pdfOf([['x']]), 'pdf', {
          shown: '"x.pdf"',
          signal,
          ports,
        });
        expect(taken.lines[0]).toBe('did: true');
        const packages = () => join(import.meta.dirname, '../../node_modules');
        const read = await readDocument(pdfOf([['words']]), 'pdf', {
          ...{ shown: '"x.pdf"', signal },
          ports: { confine, bundle, packages },
        });
        expect(read.lines[0]).toBe('words');
      }
    },
  ],
});

escapeCase('document whose reader never ends', {
  denied: [
    'it is ended, and the line names the document and the limit',
    async () => {
      const packages = takenOver(['for (;;);', 'return 1', 'return 2']);
      await expect(
        readDocument(pdfOf([['x']]), 'pdf', {
          ...{ shown: '"x.pdf"', signal, timeoutMs: 1_000 },
          ports: { confine: tiers[0] as never, bundle, packages: () => packages },
        }),
      ).rejects.toMatchObject({
        code: 'deadline-exceeded',
        message: '"x.pdf" was not read within 1000 ms',
      });
    },
  ],
  control: [
    'one that ends is read',
    async () => {
      const packages = () => join(import.meta.dirname, '../../node_modules');
      const read = await readDocument(pdfOf([['words']]), 'pdf', {
        ...{ shown: '"x.pdf"', signal },
        ports: { confine: tiers[0] as never, bundle, packages },
      });
      expect(read.lines[0]).toBe('words');
    },
  ],
});
