import { describe, expect, it } from 'vitest';
import type { Findings } from '../contracts/agent.ts';
import type { Evidence } from '../contracts/events.ts';
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
    perhaps?: MemoryHit[];
    rows?: Findings['rows'];
    listings?: { title: string; text: string; kind?: string }[];
    columns?: number;
    leftOut?: string[];
    readAs?: string;
    whole?: { pieces: number; lines: number };
    skips?: 'licence' | 'markup' | 'imports';
    /** lists come before passages but for those that lead, so many */
    leading?: number;
  } = {},
): string =>
  extractiveAnswer({
    question: more.question ?? 'where is the retry limit?',
    findings: {
      evidence,
      rows: more.rows ?? [],
      listings: more.listings ?? [],
      leading: more.leading ?? 0,
    },
    memory: { sure: more.memory ?? [], perhaps: more.perhaps ?? [] },
    nowMs: 60_000,
    leftOut: more.leftOut,
    readAs: more.readAs,
    shape: {
      whole: more.whole ?? { pieces: 0, lines: 0 },
      ...(more.skips === undefined ? {} : { skips: more.skips }),
      ...(more.leading === undefined ? {} : { listsFirst: true as const }),
    },
    reason: 'no model is in use',
    columns: more.columns,
  });

describe('extractiveAnswer()', () => {
  it('has a list behind what was looked up, and before what was only searched', () => {
    const listings = [{ title: '2 files', text: 'a/b.ts\na/c.ts' }];
    const whole = { pieces: 1, lines: 9 };
    const placeOf = (text: string) => [text.indexOf('2 files:'), text.indexOf('enum.ts:')];
    const [list, piece1] = placeOf(
      answer([piece('enum.ts', 1, 'x')], { listings, whole, leading: 1 }),
    );
    expect(list).toBeGreaterThan(piece1 as number);
    const [first, behind] = placeOf(
      answer([piece('enum.ts', 1, 'x')], { listings, whole, leading: 0 }),
    );
    expect(first).toBeLessThan(behind as number);
  });

  it.each([
    ['/*\n * Licensed to the harbour.\n * All rights.\n */\n', 5],
    ['# Copyright 2026 Ann\n#\n# Licence: MIT\n# and more\n\n', 6],
    ['/* $Harbour$ */\n\n/*\n * Copyright (c) 2026 Ann\n *\n * All rights.\n */\n\n', 9],
    ['<?php\n/*\n * Licensed to the harbour.\n */\n\n', 6],
    ['#!/usr/bin/env kit\n# -*- mode: kit -*-\n\n# Copyright 2026 Ann\n# All rights.\n', 6],
    ['"""\nCopyright 2026 Ann\nAll rights.\n"""\n', 5],
    ['(* Copyright 2026 Ann\n   All rights. *)\n\n', 4],
  ])('begins a file behind its licence: %j', (licence, line) => {
    const code = 'import x\ny = 1\nz = 2\nw = 3\nv = 4';
    const shown = { whole: { pieces: 1, lines: 60 }, skips: 'licence' } as const;
    expect(answer([piece('a.py', 1, `${licence}${code}`)], shown)).toContain(
      `a.py:${line}-${line + 4}`,
    );
    // A comment that says something else stays.
    const other = licence.replace(/licen[cs]ed?|copyright/gi, 'moored');
    expect(answer([piece('a.py', 1, `${other}${code}`)], shown)).toContain('a.py:1-');
  });

  it.each([
    ['import a from "a";\nimport {\n  b,\n} from "b";\n\nconst c = 1;\nlet d;', 6],
    ['import os\nif sys.version_info >= (3, 11):\n    import x\nelse:\n    import y\nz = 1', 6],
    ['"""Says what it is."""\nimport os\nz = 1', 1],
  ])('begins code behind its imports: %j', (code, line) => {
    const shown = { whole: { pieces: 1, lines: 6 }, skips: 'imports' } as const;
    expect(answer([piece('a.py', 1, code)], shown)).toMatch(
      new RegExp(`a\\.py:${line}(?:-\\d+)?\\n`),
    );
  });

  it('says what it is, and marks the lines that hold words of the question', () => {
    expect(answer([piece('src/a.ts', 9, 'const x = 1;\nconst retry = 3;\n')])).toBe(
      [
        'These are passages near "retry"; none has "limit". Nothing was explained, counted, compared or filtered (no model is in use).',
        '',
        'src/a.ts:9-11',
        '   9 const x = 1;',
        '> 10 const retry = 3;',
      ].join('\n'),
    );
  });

  it('shows no line above the columns there are, whatever the files hold', () => {
    const wide = Array.from({ length: 30 }, (_, index) => `${'retry '.repeat(index * 2)}\t|`).join(
      '\n',
    );
    const text = answer([piece('src/wide.ts', 99_995, wide)], {
      listings: [{ title: '3 files', text: 'long/'.repeat(60) }],
      columns: 80,
    });
    const lines = text.split('\n');
    expect(lines.length).toBeGreaterThan(8);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  it('says what it is made of', () => {
    const head = (listings: { title: string; text: string; kind?: string }[]) =>
      answer([], { listings }).split('\n', 1)[0];
    const commits = { title: '2 commits', text: 'a', kind: 'commits' };
    expect(head([commits])).toContain('These are commits, not an explanation');
    expect(head([{ ...commits, kind: 'a count of commits' }])).toContain('This is a count of');
    expect(head([{ title: 'x', text: 'a' }, commits])).toContain('These are results and commits,');
  });

  it('breaks a page at the columns there are, and not where there are none', () => {
    const text = 'word '.repeat(40).trim();
    const page = [{ title: 'a page', text, kind: 'a page' }];
    const lines = answer([], { listings: page, columns: 60 }).split('\n');
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.slice(1).filter((line) => line.length > 60)).toEqual([]);
    expect(answer([], { listings: page })).toContain(text);
  });

  it('shows the neighbouring lines with most words of the question', () => {
    const text = Array.from({ length: 40 }, (_, index) =>
      index === 30 ? 'the retry limit' : `l${index}`,
    );
    const shown = answer([piece('a', 1, text.join('\n'))]);
    expect(shown).toContain('the retry limit');
    expect(shown.split('\n').length).toBe(2 + 1 + 20);
    expect(
      answer(Array.from({ length: 5 }, () => piece('a', 1, text.join('\n')))).split('\n'),
    ).toHaveLength(2 + 1 + 8 + 4 * (1 + 3) + 4);
  });

  it('shows what was asked for from its first line to its last', () => {
    const text = Array.from({ length: 30 }, (_, index) => (index === 20 ? 'retry' : `l${index}`));
    const pieces = [piece('a', 1, text.join('\n')), piece('b', 1, text.join('\n'))];
    const shown = answer(pieces, { whole: { pieces: 1, lines: 40 } }).split('\n');
    expect(shown.slice(2, 4)).toEqual(['a:1-30', '   1 l0']);
    expect(shown[32]).toBe('  30 l29');
    // The others have what a screen has left for each.
    expect(shown.length).toBe(2 + 31 + 1 + 10);
  });

  it('writes five pieces out and names the others by place', () => {
    const pieces = Array.from({ length: 7 }, (_, index) => piece(`f${index}`, 1, `text ${index}`));
    const shown = answer(pieces);
    expect(shown).toContain('text 4');
    expect(shown).not.toContain('text 5');
    expect(shown.endsWith('Also:\n  f5:1\n  f6:1')).toBe(true);
  });

  it('says first what was left out, and how the question was read', () => {
    const options = { leftOut: ['in June', 'top 3'], readAs: 'who calls run?' };
    const [first, second] = answer([piece('a', 1, 'x')], options).split('\n');
    expect(first).toBe('Left out: in June, top 3.');
    expect(second).toBe('Read as: who calls run?');
    expect(answer([piece('a', 1, 'x')])).not.toContain('Left out');
  });

  it('puts memory first, with its age', () => {
    const shown = answer([piece('a', 1, 'x')], { memory: [hit('the limit\nis 7')] });
    expect(shown.indexOf('From memory:\n  1 min ago: the limit is 7')).toBeGreaterThan(0);
    expect(shown.indexOf('From memory:')).toBeLessThan(shown.indexOf('a:1'));
  });

  it('shows no piece of memory whose lines it shows as a passage', () => {
    const kept = { ...hit('the limit is 7'), source: 'a', tags: ['lines:1-2'] };
    expect(answer([piece('a', 1, 'the limit is 7')], { memory: [kept] })).not.toContain('memory');
    for (const other of [
      { ...kept, source: 'b' },
      { ...kept, tags: ['lines:8-9'] },
    ]) {
      expect(answer([piece('a', 1, 'x')], { memory: [other] })).toContain('From memory:');
    }
  });

  it('puts what is perhaps meant under a heading of its own, behind what is sure', () => {
    const shown = answer([], { memory: [hit('the limit is 7')], perhaps: [hit('it was 5')] });
    expect(shown).toContain('is 7\n\nPerhaps from memory:\n  1 min ago: it was 5');
    expect(answer([], { perhaps: [hit('it was 5')] })).not.toContain('\nFrom memory');
  });

  it('shows where a row of memory comes from', () => {
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
