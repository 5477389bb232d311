import { describe, expect, it } from 'vitest';
import { parseQuestion, splitIdentifier } from './parse-question.ts';

const wordsOf = (question: string) => parseQuestion(question).terms.map(({ word }) => word);

describe('splitIdentifier()', () => {
  it('splits at case, digits and signs', () => {
    expect(splitIdentifier('parseHTTPHeader2_max-size')).toEqual([
      'parse',
      'HTTP',
      'Header',
      '2',
      'max',
      'size',
    ]);
  });
});

describe('parseQuestion()', () => {
  it('keeps the words that can stand in code, each once', () => {
    expect(wordsOf('Where is the retry limit, and who retries?')).toEqual(['retry', 'limit']);
  });

  it('keeps names as they stand and splits them too', () => {
    const question = parseQuestion('Who calls parseGrant in src/policy.ts, and `cuervo run`?');
    expect(question.exact).toEqual(expect.arrayContaining(['parseGrant', 'cuervo run']));
    expect(question.terms.map(({ word }) => word)).toEqual(expect.arrayContaining(['grant']));
  });

  it('looks for what reads a .env file, too', () => {
    const { terms } = parseQuestion('How is a .env file read?');
    expect(terms.find(({ word }) => word === 'env')?.aliases).toContain('dotenv');
  });

  it('takes a name as one word in spite of its capitals', () => {
    expect(wordsOf('Which URLs give NaN in JavaScript?')).toEqual(['url', 'nan', 'javascript']);
  });

  it('widens the last word of a long question as well', () => {
    const { terms } = parseQuestion(
      'delete an error when the config of a request is fetched into a folder that we refuse',
    );
    expect(terms.at(-1)).toMatchObject({ word: 'refuse' });
    expect(terms.at(-1)?.aliases).toContain('reject');
  });

  it('looks for the small words when there are no others', () => {
    expect(wordsOf('what is this').length).toBeGreaterThan(0);
  });

  it('never has more than the 64 forms that one tally takes', () => {
    const question = Array.from({ length: 200 }, (_, at) => `word${'abcdefghij'[at % 10]}${at}x`);
    const { terms } = parseQuestion(`${question.join(' ')} delete error config message request`);
    const forms = terms.flatMap((term) => [...term.forms, ...term.aliases]);
    expect(forms.length).toBeLessThanOrEqual(64);
  });

  it('reads both ends of a text that is too long', () => {
    const frames = Array.from(
      { length: 400 },
      (_, at) => `  File "/lib/far/y${at}.py", line ${at}, in f${at}\n`,
    ).join('');
    const trace = `Traceback (most recent call last):\n${frames}  File "src/kit/parse.py", line 2, in parse\nValueError: bad`;
    expect(parseQuestion(trace).report?.places[0]).toBe('src/kit/parse.py');
  });
});
