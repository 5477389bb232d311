import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCorpus } from '../../tests/fixtures/personal-data/read-corpus.ts';
import { scoreCorpus } from '../../tests/fixtures/personal-data/score-corpus.ts';
import { cpuMs } from '../../tests/support/cpu-ms.ts';
import { personalKinds } from '../contracts/config.ts';
import { redact } from './read-texts.ts';
import { scan, secretKinds } from './scan-text.ts';

const report = readCorpus('report');
const texts = [...readCorpus('tune'), ...report];

/** `npm run …` is not needed to see them: node tests/fixtures/personal-data/table.ts */
const wanted = { recall: 0.95, precision: 0.9 };
/** A kind of few spans can miss one of them. */
const wantedOfKind = { recall: 0.8, precision: 0.8 };

describe('scan()', () => {
  it('has recall and precision on texts on which nothing was tuned (S-08)', () => {
    const { scores, misses } = scoreCorpus(report, scan);
    const all = scores.at(-1);
    expect(all?.labelled).toBeGreaterThan(150);
    expect(all?.recall, JSON.stringify(misses)).toBeGreaterThanOrEqual(wanted.recall);
    expect(all?.precision, JSON.stringify(misses)).toBeGreaterThanOrEqual(wanted.precision);
    for (const { kind, recall, precision } of scores) {
      expect(recall, kind).toBeGreaterThanOrEqual(wantedOfKind.recall);
      expect(precision, kind).toBeGreaterThanOrEqual(wantedOfKind.precision);
    }
    // The control: who finds nothing has no recall, who takes every look-alike no precision.
    expect(scoreCorpus(report, () => []).scores.at(-1)?.recall).toBe(0);
    const alike = new Map(report.map(({ text, lookAlikes }) => [text, lookAlikes]));
    const takingAll = (text: string) => [
      ...scan(text),
      ...(alike.get(text) ?? []).map(({ start, end }) => ({ kind: 'email', start, end })),
    ];
    expect(scoreCorpus(report, takingAll).scores.at(-1)?.precision).toBeLessThan(0.5);
  });

  it('is measured on every kind, and on as many look-alikes as spans', () => {
    const spans = texts.flatMap((text) => text.spans);
    const lookAlikes = texts.flatMap((text) => text.lookAlikes);
    expect(spans.length).toBeGreaterThanOrEqual(300);
    expect(lookAlikes.length).toBeGreaterThanOrEqual(spans.length);
    const labelled = new Set(spans.map(({ kind }) => kind));
    expect([...secretKinds, ...personalKinds].filter((kind) => !labelled.has(kind))).toEqual([]);
    expect(personalKinds.length + secretKinds.size).toBeGreaterThanOrEqual(14);
  });

  it('gives spans in order, without overlaps', () => {
    for (const { text } of texts) {
      let free = 0;
      for (const { start, end } of scan(text)) {
        expect(start).toBeGreaterThanOrEqual(free);
        expect(end).toBeGreaterThan(start);
        free = end;
      }
    }
  });

  it('looks not for what is kept', () => {
    const text = 'ann@nordwind.io from 84.23.119.7';
    expect(scan(text).map(({ kind }) => kind)).toEqual(['email', 'ipv4']);
    expect(scan(text, { keep: new Set(['ipv4']) }).map(({ kind }) => kind)).toEqual(['email']);
  });

  it('takes time in proportion to hostile texts of a megabyte', () => {
    const megabyte = 1_000_000;
    const cpuOf = (unit: string, length: number): number => {
      const text = unit.repeat(Math.ceil(length / unit.length));
      return cpuMs(() => void scan(text));
    };
    // Eight times the text: 8 where it is linear, 64 where it is quadratic.
    const growthOf = (unit: string): number => cpuOf(unit, megabyte) / cpuOf(unit, megabyte / 8);
    for (const unit of hostileUnits) {
      const growth = [1, 2, 3].reduce(
        (least) => (least < 24 ? least : Math.min(least, growthOf(unit))),
        Number.POSITIVE_INFINITY,
      );
      expect(growth, unit).toBeLessThan(32);
    }
  }, 120_000);
});

describe('redact()', () => {
  it('changes nothing the second time, whatever stands beside what (S-08)', () => {
    const values = texts.flatMap(({ text, spans, lookAlikes }) =>
      [...spans, ...lookAlikes].map(({ start, end }) => text.slice(start, end)),
    );
    const word = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...values) },
      { weight: 2, arbitrary: fc.constantFrom(...hostileUnits) },
      { weight: 2, arbitrary: fc.constantFrom('[EMAIL_1]', '[redacted: password]', '\n', ' ', '') },
      fc.string({ unit: 'grapheme', maxLength: 8 }),
    );
    const glue = fc.constantFrom('', ' ', ',', '\n', ': ', '"');
    fc.assert(
      fc.property(fc.array(word, { maxLength: 14 }), glue, (words, between) => {
        const once = redact(words.join(between));
        expect(redact(once)).toBe(once);
        expect(scan(once)).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
    for (const { text } of texts) expect(redact(redact(text))).toBe(redact(text));
  });

  it('gives one value one stand-in, and another value another', () => {
    expect(redact('ann@nordwind.io, bob@nordwind.io, ann@nordwind.io')).toBe(
      '[EMAIL_1], [EMAIL_2], [EMAIL_1]',
    );
  });

  it('takes no stand-in that the text brought along', () => {
    expect(redact('[EMAIL_1] is ann@nordwind.io')).toBe('[EMAIL_1] is [EMAIL_2]');
  });

  it('leaves no labelled value, and every look-alike that is no part of one', () => {
    for (const { text, spans, lookAlikes } of readCorpus('tune')) {
      const redacted = redact(text);
      for (const { start, end } of spans) expect(redacted).not.toContain(text.slice(start, end));
      for (const { start, end } of lookAlikes) expect(redacted).toContain(text.slice(start, end));
    }
  });
});

/** Beginnings without ends, and what could begin at every character. */
const hostileUnits: readonly string[] = [
  ...['eyJ-', 'eyJa.', 'eyJabcdefgh.eyJ', '-----BEGIN PRIVATE KEY-----', '-----BEGIN ', 'sk-ant-'],
  ...[
    '://a:',
    'password=',
    'password="',
    'bearer ',
    'aws_key=',
    'token:   ',
    'AKIA',
    'a',
    '\\n-----',
  ],
  ...[
    'xoxb-',
    'ghp_',
    'SG.aaaaaaaaaaaaaaaaaaaa',
    '-----BEGIN PRIVATE KEY-----a-----END PRIVATE KEY-----',
  ],
  ...['@', 'a@', 'a.', 'a@b.', 'a@a.c', `${'a'.repeat(64)}@`, `a@${'b.'.repeat(120)}`, 'é@é.'],
  ...['1', '1.', '1.1.1.1', '1.1.1.1 ', '2a02:', '2a02::', 'a:', 'aa:', 'aa:aa:aa:aa:aa:'],
  ...['+1', '+1 ', '+1(', '+49 151 2345', '1-', '1 ', '(1', '0 ', '01 ', 'tel: 1', 'phone'],
  ...['4111 ', '4111111111111111', '12-34-', '123-45-6789', '123-45-6789 ', '123.456.'],
  ...['DE12', 'DE89 ', 'DE89370400440532013000 ', 'AB123456', 'X1234567'],
  ...['ssn', 'ssn ', 'ssn: ', 'social security number: 1', 'phone: ', 'phone no. '],
  ...['ssn,x\n219-46-8832,y\n', ',', 'ssn,', '[EMAIL_1', '[EMAIL_1]', '[redacted: ', '\u{1F600}@'],
];
