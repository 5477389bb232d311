import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openPlace } from '../support/place.ts';

const packed = new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]);
const notebook = JSON.stringify({
  cells: [{ cell_type: 'code', source: ['def mean_of(rows):\n', '    return 1\n'], outputs: [] }],
  nbformat: 4,
});

describe('what cannot be read', () => {
  it('counts and names documents in searches, answers and refusals', async () => {
    using place = openPlace({
      'notes.md': '# Notes\n\nThe importer waits 45 seconds.\n',
      'spec.odt': packed,
      'deep/lease.odt': packed,
      'deep/onboarding.pptx': packed,
    });
    const notRead = [
      { kind: 'odt', count: 2, paths: ['work:deep/lease.odt', 'work:spec.odt'] },
      { kind: 'pptx', count: 1, paths: ['work:deep/onboarding.pptx'] },
    ];
    const searched = await place.cuervo(['run', 'search.grep', 'importer', '--json']);
    const result = searched.lines.find(({ type }) => type === 'result') as { notRead?: unknown };
    expect(result.notRead).toEqual(expect.arrayContaining(notRead));
    const plain = await place.cuervo(['run', 'search.grep', 'importer']);
    expect(plain.stderr).toMatch(/^note: not read: (?:2 odt, 1 pptx|1 pptx, 2 odt)$/m);

    const asked = await place.cuervo([
      'ask',
      '--model',
      'none',
      'how long does the importer wait?',
    ]);
    expect(asked.stdout).toMatch(/^Not read: (?:2 odt, 1 pptx|1 pptx, 2 odt)\.$/m);
    const refused = await place.cuervo(['ask', '--model', 'none', 'quagga']);
    expect({ code: refused.code, text: refused.stderr }).toMatchObject({
      code: 4,
      text: expect.stringMatching(/answers this; .*not read: .*2 odt/),
    });
    const shown = await place.cuervo(['ask', '--model', 'none', 'summarise spec.odt']);
    expect(shown.stdout).not.toContain('PK');
    expect(shown.code).not.toBe(0);
    expect(shown.stderr).toMatch(/is not a UTF-8 text|not read: .*2 odt/);
  });

  it('says that there is no test, above what the files say', async () => {
    using place = openPlace({ 'parser.py': 'class Parser:\n    def parse(self):\n        pass\n' });
    const question = ['ask', '--model', 'none', 'is there a test for the parser?'];
    expect((await place.cuervo(question)).stdout).toMatch(/^No test of "parser" was found\.$/m);
    place.write({
      'test_parser.py': 'from parser import Parser\n\ndef test_parser():\n    pass\n',
    });
    const found = await place.cuervo(question);
    expect(found.stdout).toContain('test_parser.py');
    expect(found.stdout).not.toContain('No test');
  });

  it('reads a notebook that is one line', async () => {
    using place = openPlace({ 'data/analysis.ipynb': notebook });
    const asked = await place.cuervo(['ask', '--model', 'none', 'where is mean_of defined?']);
    expect(asked.stdout).toContain('This is the definition');
    expect(asked.stdout).toMatch(/^> *\d+ def mean_of\(rows\):$/m);
    const [, line] = /^> *(\d+) def/m.exec(asked.stdout) ?? [];
    const read = await place.cuervo([
      ...['run', 'file.read', 'path=data/analysis.ipynb', `start=${line}`, `end=${line}`, '--json'],
    ]);
    expect(read.stdout).toContain('def mean_of(rows):');
  });

  const isRoot = process.getuid?.() === 0;
  it.skipIf(process.platform !== 'linux')(
    'names files and folders without permission, and reads what root can read',
    async () => {
      using place = openPlace({
        'a.txt': 'needle\n',
        'b.txt': 'needle\n',
        'shut/c.txt': 'needle\n',
      });
      const close = () => {
        chmodSync(join(place.work, 'b.txt'), 0);
        chmodSync(join(place.work, 'shut'), 0);
      };
      close();
      if (isRoot) {
        const all = await place.cuervo(['run', 'search.grep', 'needle']);
        expect(all.stderr).toContain('3 matches in 3 files');
        expect(all.stderr).not.toContain('not read');
      }
      // Another user, who is not root and owns none of it.
      const user = 40_001;
      if (isRoot) {
        chmodSync(place.dir, 0o755);
        mkdirSync(join(place.dir, 'other'));
        chownSync(join(place.dir, 'other'), user, user);
      }
      const as = isRoot ? { user, home: join(place.dir, 'other') } : {};
      const missed = /not read: .*2 without permission \((?:b\.txt, shut|shut, b\.txt)\)/i;
      const searched = await place.cuervo(['run', 'search.grep', 'needle'], as);
      expect(searched.stderr).toMatch(missed);
      expect(searched.stderr).toContain('1 match in 1 file');
      const asked = await place.cuervo(['ask', '--model', 'none', 'needle'], as);
      expect(asked.stdout).toMatch(missed);
      for (const [tool, input] of [
        ['search.files', '*.txt'],
        ['file.tree', '{}'],
      ] as const) {
        const listed = await place.cuervo(['run', tool, input], as);
        expect(listed.stderr, tool).toContain('not read: 1 without permission (shut)');
      }
      // Its names alone are listed, so nothing below is missed; of a folder that is shut there are none.
      const names = await place.cuervo(['run', 'file.list', '{}'], as);
      expect(names.stdout).toContain('shut');
      const shut = await place.cuervo(['run', 'file.list', 'path=shut'], as);
      expect({ code: shut.code, named: shut.stderr.includes('shut') }).toEqual({
        code: 3,
        named: true,
      });
      chmodSync(join(place.work, 'shut'), 0o700);
    },
  );
});
