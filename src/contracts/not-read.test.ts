import { describe, expect, it } from 'vitest';
import {
  binaryKind,
  createNotReadSum,
  maxNotReadKinds,
  notReadOf,
  notReadText,
} from './not-read.ts';

const calls = (...lists: ReturnType<ReturnType<typeof createNotReadSum>['list']>[]) => [
  {
    hostCalls: lists.map((notRead) => ({
      ...{ call: 'fs.scan', target: 'work:', outcome: 'ok' as const, durationMs: 1 },
      ...(notRead === undefined ? {} : { notRead }),
    })),
  },
];

const sum = (...found: [kind: string, path: string][]) => {
  const made = createNotReadSum();
  for (const [kind, path] of found) made.add(kind, path);
  return made.list();
};

describe('createNotReadSum()', () => {
  it('says nothing where everything was read', () => {
    expect(sum()).toBeUndefined();
  });

  it('counts by kind and names no picture', () => {
    expect(sum(['pdf', 'work:a.pdf'], ['png', 'work:b.png'], ['pdf', 'work:c.pdf'])).toEqual([
      { kind: 'pdf', count: 2, paths: ['work:a.pdf', 'work:c.pdf'] },
      { kind: 'png', count: 1, paths: [] },
    ]);
  });

  it('tells no more kinds apart than there is room for', () => {
    const many = Array.from({ length: 99 }, (_, at): [string, string] => [`k${at}`, 'work:x']);
    expect(sum(...many)).toHaveLength(maxNotReadKinds + 1);
  });
});

describe('notReadOf()', () => {
  it('counts a file once that two calls came by', () => {
    const [one, other] = [
      sum(['pdf', 'work:a.pdf']),
      sum(['pdf', 'work:a.pdf'], ['pdf', 'work:b.pdf']),
    ];
    expect(notReadOf(calls(one, undefined, other))).toEqual([
      { kind: 'pdf', count: 2, paths: ['work:a.pdf', 'work:b.pdf'] },
    ]);
  });

  it('adds up files of two calls that looked elsewhere', () => {
    expect(notReadOf(calls(sum(['docx', 'work:a.docx']), sum(['docx', 'work:b.docx'])))).toEqual([
      expect.objectContaining({ kind: 'docx', count: 2 }),
    ]);
  });
});

describe('notReadText()', () => {
  it('names documents by kind and what may not be read by its path', () => {
    const found = sum(
      ['pdf', 'work:a.pdf'],
      ['pdf', 'work:b.pdf'],
      ['docx', 'work:c.docx'],
      ['unreadable', 'work:shut'],
      ['over 50 MiB', 'work:big.log'],
      ['png', 'work:d.png'],
    );
    expect(notReadText(found ?? [])).toBe(
      'not read: 2 pdf, 1 docx, 1 without permission (shut), 1 over 50 MiB (text of pdf and docx: cuervo add documents)',
    );
  });

  it('names the part only for what it reads', () => {
    expect(notReadText(sum(['odt', 'work:a.odt'], ['pdf damaged', 'work:b.pdf']) ?? [])).toBe(
      'not read: 1 odt, 1 pdf damaged',
    );
  });

  it('says nothing of pictures alone', () => {
    expect(notReadText(sum(['png', 'work:d.png']) ?? [])).toBeUndefined();
  });
});

describe('binaryKind()', () => {
  it('is the ending of the name', () => {
    expect(['a.PDF', 'b', 'c.tar.gz', 'd.ä'].map(binaryKind)).toEqual([
      'pdf',
      'binary',
      'gz',
      'binary',
    ]);
  });
});
