import { describe, expect, it } from 'vitest';
import type { LastAnswer } from '../contracts/questions.ts';
import { followUp, refersBack } from './follow-up.ts';

const places = [
  { path: 'src/a.ts', line: 12 },
  { path: 'src/b.ts', line: 3 },
];
const ofName: LastAnswer = { kind: 'definition', name: 'openStore', path: 'src/a.ts', places };
const ofPassages: LastAnswer = { ...ofName, kind: 'where' };
const ofFile: LastAnswer = { kind: 'file', path: 'src/a.ts', places };

const ofList: LastAnswer = {
  kind: 'history',
  places: [{ path: 'docs/a.md' }, { path: '', commit: '0123456789abcdef' }],
};

const ofTime: LastAnswer = { kind: 'how', question: 'what did I spend in november?', places };
const untimed: LastAnswer = { ...ofTime, question: 'how many commits are there?' };

describe('followUp()', () => {
  it.each([
    ['and who calls it?', ofName, 'who calls openStore'],
    ['who calls this function?', ofName, 'who calls openStore'],
    ['who changed this file last?', ofName, 'who changed src/a.ts last'],
    ['who wrote it?', ofName, 'who changed openStore last?'],
    ['what does it accept as true', ofName, 'what does openStore accept as true'],
    ['who changed it last?', ofFile, 'who changed src/a.ts last'],
    ['and the tests?', ofName, 'which tests cover openStore?'],
    ['and its tests?', ofFile, 'which tests cover src/a.ts?'],
    ['and the tests?', ofPassages, 'which tests cover src/a.ts?'],
    ['what does it do?', ofFile, 'what does src/a.ts do?'],
    ['and the history?', ofName, 'history of openStore'],
    ['why?', ofName, 'why was openStore changed?'],
    ['show the second one', ofName, 'show src/b.ts:3'],
    ['the last one', ofName, 'show src/b.ts:3'],
    ['who wrote the first one?', ofName, 'who wrote src/a.ts'],
    ['number 2', ofName, 'show src/b.ts:3'],
    ['show the first one', ofList, 'show docs/a.md'],
    ['show the second commit', ofList, 'show commit 0123456789'],
    ['and closeStore?', { ...ofName, kind: 'references' }, 'who calls closeStore?'],
    ['how is this file tested?', ofName, 'how is src/a.ts tested'],
    ['and in October?', ofTime, 'what did I spend in October?'],
    ['what about October?', ofTime, 'what did I spend in October?'],
    ['and last week?', ofTime, 'what did I spend last week?'],
    ['und im Oktober?', ofTime, 'what did I spend im Oktober?'],
    ['¿y en octubre?', ofTime, 'what did I spend en octubre?'],
    ['and 2024?', untimed, 'how many commits are there 2024?'],
    ['and since June?', untimed, 'how many commits are there since June?'],
    ['what about closeStore?', ofName, 'where is closeStore defined?'],
  ] as const)('reads "%s"', (question, last, alone) => {
    expect(followUp(question, last)).toBe(alone);
  });

  it.each(['where is the retry limit set?', 'which version does it need?', 'go on', '???'])(
    'leaves "%s" as it is',
    (question) => {
      expect(followUp(question, ofName)).toBeUndefined();
    },
  );
});

describe('refersBack()', () => {
  it('finds what stands for nothing without an answer before', () => {
    expect(refersBack('and who calls it?')).toBe('it');
    expect(refersBack('and in October?')).toBe('in October');
    expect(refersBack('in October?')).toBeUndefined();
    expect(refersBack('and what changed in October?')).toBeUndefined();
    expect(refersBack('who calls openStore?')).toBeUndefined();
    expect(refersBack('what does it do?')).toBeUndefined();
    expect(refersBack('show the last commit')).toBeUndefined();
    expect(refersBack('which errors can it return?')).toBeUndefined();
    expect(refersBack('what did I change that is not committed?')).toBeUndefined();
    expect(refersBack('where is the parser made and who calls it?')).toBeUndefined();
    expect(refersBack('where is it decided how big a page is?')).toBeUndefined();
  });
});
