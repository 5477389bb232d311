import { describe, expect, it } from 'vitest';
import type { Evidence } from '../contracts/evidence.ts';
import type { MemoryHit } from '../contracts/memory.ts';
import { extractiveAnswer } from './extractive-answer.ts';

const piece = (path: string, line: number, text: string): Evidence => ({
  path,
  line,
  endLine: line + text.split('\n').length - 1,
  text,
  score: 1,
});
const hit = (text: string, ts = 0): MemoryHit => ({
  id: 'm1',
  layer: 'interact',
  score: 1,
  text,
  kind: 'question',
  tags: [],
  project: '/w',
  ts,
  factors: { fused: 1, layerWeight: 1, decay: 1 },
});
const answer = (
  evidence: Evidence[],
  more: {
    question?: string;
    memory?: MemoryHit[];
    listings?: { title: string; text: string }[];
    isShown?: boolean;
  } = {},
): string =>
  extractiveAnswer({
    question: more.question ?? 'where is the retry limit?',
    findings: { evidence, listings: more.listings ?? [] },
    memory: more.memory ?? [],
    nowMs: 60_000,
    isShown: more.isShown ?? false,
    reason: 'no model is in use',
  });

describe('extractiveAnswer()', () => {
  it('says what it is, and marks the lines that hold words of the question', () => {
    expect(answer([piece('src/a.ts', 9, 'const x = 1;\nconst retry = 3;\n')])).toBe(
      [
        'These are passages, not an explanation (no model is in use).',
        '',
        'src/a.ts:9-11',
        '   9 const x = 1;',
        '> 10 const retry = 3;',
      ].join('\n'),
    );
  });

  it('shows no line above 80 columns, whatever the files hold', () => {
    const wide = Array.from({ length: 30 }, (_, index) => `${'retry '.repeat(index * 2)}\t|`).join(
      '\n',
    );
    const text = answer([piece('src/wide.ts', 99_995, wide)], {
      listings: [{ title: '3 files', text: 'long/'.repeat(60) }],
    });
    const lines = text.split('\n');
    expect(lines.length).toBeGreaterThan(8);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  it('shows the eight neighbouring lines with most words of the question', () => {
    const text = Array.from({ length: 40 }, (_, index) =>
      index === 30 ? 'the retry limit' : `l${index}`,
    );
    const shown = answer([piece('a', 1, text.join('\n'))]);
    expect(shown).toContain('the retry limit');
    expect(shown.split('\n').length).toBeLessThanOrEqual(2 + 1 + 8);
  });

  it('shows what was asked for from its first line to its last', () => {
    const text = Array.from({ length: 30 }, (_, index) => (index === 20 ? 'retry' : `l${index}`));
    const pieces = [piece('a', 1, text.join('\n')), piece('b', 1, text.join('\n'))];
    const shown = answer(pieces, { isShown: true }).split('\n');
    expect(shown.slice(2, 4)).toEqual(['a:1-30', '   1 l0']);
    expect(shown[32]).toBe('  30 l29');
    expect(shown.length).toBe(2 + 31 + 1 + 9);
  });

  it('writes five pieces out and names the others by place', () => {
    const pieces = Array.from({ length: 7 }, (_, index) => piece(`f${index}`, 1, `text ${index}`));
    const shown = answer(pieces);
    expect(shown).toContain('text 4');
    expect(shown).not.toContain('text 5');
    expect(shown.endsWith('Also:\n  f5:1\n  f6:1')).toBe(true);
  });

  it('puts memory first, with its age', () => {
    const shown = answer([piece('a', 1, 'x')], { memory: [hit('the limit\nis 7')] });
    expect(shown.indexOf('From memory:\n  1 min ago: the limit is 7')).toBeGreaterThan(0);
    expect(shown.indexOf('From memory:')).toBeLessThan(shown.indexOf('a:1'));
  });

  it('says of memory what a plugin or a file said', () => {
    const told = { ...hit('the limit is 8'), source: 'flood' };
    const shown = answer([], { memory: [told, hit('the limit is 7')] });
    expect(shown).toContain(
      '\n  1 min ago, from flood: the limit is 8\n  1 min ago: the limit is 7',
    );
  });

  it('cuts a listing after forty lines and says how many there are', () => {
    const text = Array.from({ length: 100 }, (_, index) => `f${index}`).join('\n');
    const shown = answer([], { listings: [{ title: '100 files', text }] });
    expect(shown).toContain('100 files:\n  f0\n');
    expect(shown).toContain('  f39\n  (60 more lines)');
    expect(shown).not.toContain('f40');
  });
});
