import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { docxOf, docxOfXml, encryptedPdf, pdfOf } from '../support/documents.ts';
import { openPlace } from '../support/place.ts';

const spec = pdfOf([
  ['Specification of the exporter', 'Version 2.1'],
  ['Chapter two: retries.', 'The exporter retries a failed upload seven times.'],
  ['Chapter three: limits.', 'Files above 40 MB are refused.'],
]);
const onboarding = docxOf(['Onboarding', 'Ask Mirela for the key of the server room.']);
const ask = (question: string) => ['ask', '--model', 'none', question];

describe('documents', () => {
  it('are shown, summarised and searched, with the page that the words stand on', async () => {
    using place = openPlace({
      'docs/spec.pdf': spec,
      'onboarding.docx': onboarding,
      'notes.md': '# Notes\n\nThe importer waits 45 seconds.\n',
    });
    for (const question of ['show docs/spec.pdf', 'summarise docs/spec.pdf']) {
      const shown = await place.cuervo(ask(question));
      expect(shown.code, question).toBe(0);
      expect(shown.stdout, question).toContain('Specification of the exporter');
    }
    const found = await place.cuervo(ask('how often does the exporter retry an upload?'));
    expect(found.stdout).toMatch(/^docs\/spec\.pdf page 2$/m);
    expect(found.stdout).toContain('retries a failed upload seven times');
    expect(found.stdout).not.toMatch(/not read/i);
    const within = await place.cuervo(ask('what does spec.pdf say about limits?'));
    expect(within.stdout).toMatch(/^docs\/spec\.pdf page 3$/m);
    const word = await place.cuervo(ask('who has the key of the server room?'));
    expect(word.stdout).toMatch(/^onboarding\.docx:1-2$/m);
    expect(word.stdout).toContain('Ask Mirela');

    const searched = await place.cuervo(['run', 'search.grep', 'upload', '--json']);
    const { content } = searched.lines.find(({ type }) => type === 'result') as { content: string };
    expect(JSON.parse(content).matches).toEqual([
      {
        ...{ path: 'docs/spec.pdf', line: 5, column: 31, page: 2, before: [], after: [] },
        text: 'The exporter retries a failed upload seven times.',
      },
    ]);
    const pattern = await place.cuervo(['run', 'search.grep', 'upl.*d']);
    expect(pattern.stderr).toMatch(/not read: .*1 pdf not searched/);
  });

  it('that cannot be read have one line each, and are counted', async () => {
    using place = openPlace({
      'cut.pdf': spec.subarray(0, 200),
      'locked.pdf': encryptedPdf,
      'picture.pdf': pdfOf([[]]),
      'bomb.docx': docxOfXml(`<w:document>${'a'.repeat(65 * 1024 * 1024)}</w:document>`),
      'zip.docx': new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]),
      'huge.pdf': '%PDF-1.4\n',
      'notes.md': 'The quagga is gone.\n',
    });
    truncateSync(join(place.work, 'huge.pdf'), 500 * 1024 * 1024);
    for (const [name, reason] of [
      ['cut.pdf', 'it is damaged'],
      ['locked.pdf', 'it is encrypted, and needs a password'],
      ['picture.pdf', 'it holds no text; its pages may be pictures'],
      ['bomb.docx', 'its text has 68157465 bytes unpacked, limit 67108864'],
      ['zip.docx', 'it is damaged'],
    ] as const) {
      const read = await place.cuervo(['run', 'file.read', name]);
      expect({ code: read.code, text: read.stderr.split('\n')[0] }, name).toEqual({
        code: 1,
        text: `error: "${name}" was not read: ${reason}`,
      });
    }
    const huge = await place.cuervo(['run', 'file.read', 'huge.pdf']);
    expect(huge.stderr).toContain('has 524288000 bytes, limit 52428800');
    const asked = await place.cuervo(ask('where is the quagga?'));
    const line = /^Not read: .*$/m.exec(asked.stdout)?.[0] ?? '';
    for (const part of ['1 pdf damaged', '1 pdf encrypted', '1 pdf without text', '1 docx damaged'])
      expect(line).toContain(part);
    expect(line).toContain('1 docx too large');
    expect(line).toContain('1 pdf too large');
  });
});
