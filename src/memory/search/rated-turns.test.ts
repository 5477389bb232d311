import { describe, expect, it } from 'vitest';
import type { MemoryHit } from '../../contracts/memory.ts';
import { ratedTurns } from './recalled-hits.ts';

const relevantTurns = (hits: readonly MemoryHit[], question: string): MemoryHit[] =>
  ratedTurns(hits, question).map((rated) => rated.hit);

const hit = (text: string): MemoryHit => ({
  id: text,
  layer: 'interact',
  score: 1,
  text,
  kind: 'answer',
  tags: [],
  project: '/work',
  ts: 0,
  factors: { bm25: 1, fused: 1, layerWeight: 1.2, decay: 1 },
});

const said = [
  'My deployment password hint is the blue heron',
  'We decided that releases happen on Thursdays',
  'The retry limit of the upload queue is 7, set in queue.toml',
  'Anna reviews everything that touches the billing service.',
  'Never deploy on Fridays.',
  'Ines leads the mobile team',
  'le code est 2121',
  'Ich trinke den Kaffee schwarz',
  'PRs need two approvals',
];

describe('ratedTurns()', () => {
  it.each([
    ['on which day do releases happen?', said[1]],
    ['when is a release?', said[1]],
    ['what happens on Thursdays', said[1]],
    ['what is my password hint?', said[0]],
    ['what was the hint for the deployment password', said[0]],
    ['which bird is my deployment password hint about?', said[0]],
    ['what is the retry limit of the queue?', said[2]],
    ['who reviews billing?', said[3]],
    ['who leads the mobile team?', said[5]],
    ['quel est le code ?', said[6]],
    ['how many approvals does a PR need?', said[8]],
    ['on which day must we not deploy?', said[4]],
  ])('finds for %j the turn %j', (question, expected) => {
    const found = relevantTurns(said.map(hit), question).map(({ text }) => text);
    expect(found).toContain(expected);
    expect(found.length).toBeLessThanOrEqual(2);
  });

  it.each([
    'what does the limit of the frame decoder depend on?',
    'list all todo comments',
    'is the frame decoder or the parser slow?',
    'where do I set the colour or the size of the queue window?',
    'where is the password hashed?',
    'which file implements the billing export?',
    'how does the parser handle queue messages of unknown type?',
    'where are releases built?',
    'what is it?',
    'the of and',
    '',
    '東京の天気はどうですか',
  ])('finds nothing for %j', (question) => {
    expect(relevantTurns(said.map(hit), question)).toEqual([]);
  });

  it('leaves out what only repeats the question', () => {
    const hits = [hit('the upload queue'), hit('The upload queue is drained at night.')];
    expect(relevantTurns(hits, 'when is the upload queue drained?')).toEqual([hits[1]]);
    expect(relevantTurns([hits[0]!], 'the upload queue')).toEqual([]);
  });

  it('leaves out a hit that is clearly behind the best', () => {
    const hits = [
      hit('The export job of the billing service runs on the host aurora.'),
      hit('The export job of the billing team needs review of its service pages.'),
    ];
    const found = relevantTurns(hits, 'on which host does the billing service export job run?');
    expect(found).toEqual([hits[0]]);
  });

  it('takes the words of a question about anything when there are no others', () => {
    const hits = [hit('The way to do this kind of work is pairing.')];
    expect(relevantTurns(hits, 'which kind of work is the way?')).toEqual(hits);
    expect(relevantTurns(hits, 'which kind of file is the way?')).toEqual([]);
  });

  it.each([
    'which server is used for staging?',
    'what is the staging server currently called',
    'which server do we actually use for staging?',
  ])('counts no word of %j that any question may hold', (question) => {
    const [rated] = ratedTurns([hit('The staging server is kestrel.')], question);
    expect(rated?.share).toBe(1);
  });

  it('keeps the order of the hits', () => {
    const hits = [hit('Releases are tagged by Anna.'), hit('Releases happen on Thursdays.')];
    expect(relevantTurns(hits, 'tell me about releases')).toEqual(hits);
  });

  it('works where words are not spaced', () => {
    const hits = [hit('部署密码提示是蓝鹭'), hit('发布在星期四')];
    expect(relevantTurns(hits, '部署密码提示是什么?')).toEqual([hits[0]]);
  });
});

it.each([
  ['שם הכלב הוא רקס', 'מה שם הכלב?'],
  ['اسم الكلب ركس', 'ما اسم الكلب؟'],
  ['Ο κωδικός πόρτας είναι 4471', 'ποιος είναι ο κωδικός πόρτας;'],
  ['소포 코드는 4471', '소포 코드는 무엇?'],
  ['пароль вайфаю чорниця', 'який пароль вайфаю?'],
])('ratedTurns() finds "%s" by "%s"', (text, question) => {
  expect(ratedTurns([hit(text)], question).map(({ share }) => share)).toEqual([1]);
});
