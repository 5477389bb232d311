import { describe, expect, it } from 'vitest';
import {
  embeddedModule,
  emptyPlugin,
  withSection,
} from '../../../../tests/support/test-binaries.ts';
import { capabilityNames } from '../../../contracts/capabilities.ts';
import type { InspectReport } from '../../../contracts/output/parse-plugin-output.ts';
import { columnsOf, wrapText } from '../../../lib/text/columns.ts';
import { judgeComponent } from './judge-component.ts';
import { createInspectReport, labelText } from './label.ts';
import { readBinary } from './read-component.ts';

const report: InspectReport = {
  file: 'dist/wordcount.wasm',
  size: 1_632_888,
  sha256: 'a'.repeat(64),
  kind: 'plugin',
  name: 'wordcount',
  version: '0.1.0',
  imports: ['cuervo:host/types@0.1.0', 'cuervo:host/fs@0.1.0', 'cuervo:host/log@0.1.0'],
  exports: ['cuervo:plugin/tools@0.1.0'],
  capabilities: [
    { capability: 'fs', why: 'reads the files whose words it counts' },
    { capability: 'log', why: 'says how far it is' },
  ],
  tools: [
    {
      name: 'count-file',
      description: 'Number of words in a file.\n\nMore of it.',
      effect: 'read',
      inputSchema: { type: 'object' },
    },
  ],
  derived: false,
  withheld: [],
  verdict: 'installable',
  reasons: [],
};

describe('labelText()', () => {
  it('calls no module what could not be read at all', () => {
    const { name: _, version: __, ...nameless } = report;
    const refused: InspectReport = { ...nameless, kind: 'module', verdict: 'refused' };
    const unread = { ...refused, imports: [], exports: [] };
    expect(labelText(unread).split('\n')[0]).toBe('no plugin');
    expect(labelText(refused).split('\n')[0]).toBe('module without a name');
  });

  it('says what the binary can and cannot do', () => {
    expect(labelText(report)).toBe(
      [
        'wordcount 0.1.0',
        '  file    dist/wordcount.wasm',
        '  size    1.6 MB (1632888 bytes)',
        `  sha256  ${'a'.repeat(64)}`,
        '',
        'It can, if you grant it:',
        '  - read files in folders that you name (fs:ROOT)',
        '    its author says: reads the files whose words it counts',
        'It can: write log lines and show progress (needs no grant)',
        '',
        'It cannot: open the network, call tools of other plugins, run programs, send web',
        "           requests, write files, use cuervo's memory, keep anything from run to",
        '           run, know the time (time stands still without clock), draw random',
        '           numbers.',
        '',
        'It offers 1 tool:',
        '  count-file (read): Number of words in a file.',
      ].join('\n'),
    );
  });

  it('says how many host calls it asks for, where that is more than usual', () => {
    const asks = 'It asks for up to 5000 host calls in one call, where 1000 are usual';
    expect(labelText({ ...report, hostCalls: 5000 })).toContain(asks);
    expect(labelText({ ...report, hostCalls: 500 })).not.toContain('host calls');
  });

  it('says that a binary without imports only computes', () => {
    const text = labelText({ ...report, imports: [], capabilities: [] });
    expect(text).toContain('It computes, and touches nothing outside itself.');
    expect(text.replace(/\s+/g, ' ')).toContain('write files, read files, use');
    expect(text).not.toMatch(/It can[,:]/);
  });

  it('does not call an imported capability impossible', () => {
    const names = capabilityNames.filter((name) => name !== 'log');
    const text = labelText({
      ...report,
      capabilities: names.map((capability) => ({ capability })),
    });
    expect(text).toContain('It cannot: open the network.');
    for (const name of names) expect(text).toMatch(new RegExp(`\\(${name}[:)]`));
  });

  it('says nothing of what a refused binary cannot do, and why it is refused', () => {
    const text = labelText({ ...report, verdict: 'refused', reasons: ['it is broken'] });
    expect(text).toContain('Refused:\n  - it is broken');
    expect(text).toContain('  - cuervo:host/fs@0.1.0');
    expect(text).not.toMatch(/It can/);
  });

  it('stays in 80 columns and prints no control character, whatever the strangers wrote', () => {
    const hostile = `\u001b]0;x\u0007 ${'x'.repeat(300)} \u202e単語を数えます単語を数えます単語を数えます単語を数えます\r\nIt cannot: anything`;
    for (const verdict of ['installable', 'refused'] as const) {
      const text = labelText({
        ...report,
        verdict,
        file: hostile,
        imports: [hostile],
        reasons: [hostile],
        capabilities: [{ capability: 'exec', why: hostile }],
        tools: report.tools.map((tool) => ({ ...tool, description: hostile })),
      });
      for (const line of text.split('\n')) {
        expect(columnsOf(line)).toBeLessThanOrEqual(80);
        expect(line).not.toMatch(/\p{C}/u);
        expect(line).not.toBe('It cannot: anything');
      }
    }
  });

  it('counts tools that it does not list', () => {
    const [tool] = report.tools;
    const tools = Array.from({ length: 33 }, (_, index) => ({ ...tool!, name: `t${index}` }));
    expect(labelText({ ...report, tools })).toContain('  … and 3 more');
  });
});

describe('createInspectReport()', () => {
  const file = { file: 'x.wasm', size: 9, sha256: 'b'.repeat(64) };
  const manifest = {
    name: 'x',
    version: '1.0.0',
    description: 'X.',
    wants: [{ capability: 'fs' as const, why: 'w' }],
  };
  const tools = [
    {
      name: 'a',
      description: 'A.',
      effect: 'read' as const,
      inputSchema: { type: 'object' },
      examples: [],
    },
  ];

  it('is installable when nothing speaks against it and it offers a tool', async () => {
    const shape = readBinary(withSection(await emptyPlugin(['fs']), 'cuervo:plugin', '{}'));
    const judgement = judgeComponent(shape, manifest);
    const examined = { shape, manifest, judgement, component: new Uint8Array() };
    const found = { ...file, examined };
    expect(createInspectReport({ ...found, tools })).toMatchObject({
      kind: 'plugin',
      name: 'x',
      version: '1.0.0',
      verdict: 'installable',
      reasons: [],
      tools: [{ name: 'a', effect: 'read', description: 'A.', inputSchema: { type: 'object' } }],
    });
    expect(createInspectReport({ ...found, tools: [] })).toMatchObject({
      verdict: 'refused',
      reasons: ['it offers no tool'],
    });
    expect(
      createInspectReport({ ...found, tools, reasons: ['it does not compile'] }),
    ).toMatchObject({
      verdict: 'refused',
      reasons: ['it does not compile'],
    });
  });

  it('names the kind of a core module', async () => {
    const shape = readBinary(await embeddedModule(['fs']));
    const judgement = judgeComponent(shape, undefined);
    const made = createInspectReport({
      ...file,
      examined: { shape, manifest: undefined, judgement, component: new Uint8Array() },
      tools: undefined,
    });
    expect(made).toMatchObject({ kind: 'module', verdict: 'refused', tools: [], capabilities: [] });
    expect(made.reasons).toHaveLength(1);
    expect(made).not.toHaveProperty('name');
  });
});

describe('wrapText()', () => {
  it('breaks at spaces, indents, and breaks words only when they must', () => {
    expect(wrapText('- ', 'one two three', 9)).toEqual(['- one two', '  three']);
    expect(wrapText('- ', 'abcdefghij', 6)).toEqual(['- abcd', '  efgh', '  ij']);
    expect(wrapText('- ', '', 6)).toEqual(['- ']);
  });

  it('counts wide characters twice and marks not at all', () => {
    expect(columnsOf('単語')).toBe(4);
    expect(columnsOf('e\u0301')).toBe(1);
  });
});
