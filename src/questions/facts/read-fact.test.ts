import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mayTell, readFact } from './read-fact.ts';

const folder = join(import.meta.dirname, '../../../tests/bench/questions');
const rowsOf = (name: string): Record<string, string>[] =>
  readFileSync(join(folder, `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, string>);

describe('readFact()', () => {
  it.each([
    ['remember that releases happen on Thursdays', 'tell', 'fact', 'releases happen on Thursdays'],
    ['note: buy milk', 'tell', 'fact', 'buy milk'],
    ['remember that if CI fails, call Ana', 'tell', 'fact', 'if CI fails, call Ana'],
    ['remember: run the tests first', 'tell', 'fact', 'run the tests first'],
    ['we decided to use Postgres', 'tell', 'decision', 'we decided to use Postgres'],
    ['ich bevorzuge Tabs', 'tell', 'preference', 'ich bevorzuge Tabs'],
    ['the lead is now Jo, remember that', 'tell', 'fact', 'the lead is now Jo'],
    [
      'when we release, ask Dana first, please remember',
      'tell',
      'fact',
      'when we release, ask Dana first',
    ],
    ['remember when we release, ask Dana first', 'tell', 'fact', 'when we release, ask Dana first'],
    ['can you remember that the port is 8080?', 'tell', 'fact', 'the port is 8080'],
    ['I want you to remember that CI is slow', 'tell', 'fact', 'CI is slow'],
    ['make a note that Ana is away', 'tell', 'fact', 'Ana is away'],
    ['the wifi is called nest, write that down', 'tell', 'fact', 'the wifi is called nest'],
    ['the lead is Jo - keep that in mind', 'tell', 'fact', 'the lead is Jo'],
    ['isso já não é verdade', 'end', 'fact', 'isso já não é verdade'],
    ['das stimmt nicht mehr', 'end', 'fact', 'das stimmt nicht mehr'],
    ['I take that back', 'end', 'fact', 'I take that back'],
    ['oublie ça', 'end', 'fact', 'oublie ça'],
    ['vergiss nicht, dass der Port 80 ist', 'tell', 'fact', 'der Port 80 ist'],
  ])('reads "%s"', (words, act, as, text) => {
    expect(readFact(words)).toMatchObject({ act, as, text });
  });

  it.each([
    ['remember for the team that releases happen on Thursdays', 'team'],
    ['remember for me: tabs and no spaces', 'person'],
    ['merke dir für das Team, dass Releases am Freitag sind', 'team'],
  ])('reads where "%s" holds', (words, scope) => {
    expect(readFact(words)).toMatchObject({ scope });
  });

  it.each([
    ...['what do you know about me?', 'what did I tell you', 'What have you remembered so far?'],
    ...["what's in your memory?", 'show me everything you remember', 'list my facts'],
    ...['what did I say last week?', 'what did I tell you on 18 November?', 'what did I say today'],
    ...['was habe ich dir gestern gesagt?', '¿qué te dije la semana pasada?'],
    ...['que t’ai-je dit hier ?', 'o que eu disse ontem?'],
    ...['was weißt du über mich?', 'woran erinnerst du dich?', 'was habe ich dir gesagt?'],
    ...['¿qué sabes de mí?', '¿Qué te he dicho?', 'que sais-tu sur moi ?', "que t'ai-je dit ?"],
    ...['o que você sabe sobre mim?', 'o que eu te disse?'],
  ])('reads "%s" as asking for all that was told', (words) => {
    expect(readFact(words)).toMatchObject({ act: 'list' });
  });

  it.each([
    ...['what do you know about the router?', 'what did I tell you about the port?'],
    ...['what do we know about retries?', 'show all facts.ts files', 'was weißt du über den Port?'],
    ...['what did I say about the port yesterday?', 'what changed last week?'],
    ...['what does memory know?', 'list facts of the planner', 'what is in memory?', 'show facts'],
  ])('reads "%s" as a question', (words) => expect(readFact(words)).toBeUndefined());

  it.each([
    ['forget the standup', 'the standup'],
    ['please forget my birthday', 'my birthday'],
    ['vergiss den Port', 'den Port'],
    ['olvida el puerto', 'el puerto'],
    ['oublie le port', 'le port'],
    ['esquece a porta', 'a porta'],
  ])('ends what "%s" is about, if it is known', (words, about) => {
    expect(readFact(words)).toMatchObject({ act: 'end', about });
  });

  it.each(['fact-like-questions', 'work-messages'])('keeps none of 60 %s', (name) => {
    expect(rowsOf(name).filter(({ text = '' }) => readFact(text))).toEqual([]);
  });

  it.each([
    ...['actually, never mind', 'no, the other one', 'please note', 'never forget that', 'no'],
    ...['actually the tests fail, why', 'note how the config is read', 'I prefer to know why'],
    ...['no, releases moved to Friday', 'the demo was moved to Wednesday', 'that was wrong'],
    ...['update the release note', 'fyi the build is red', "don't forget to push", 'I said tabs'],
    ...["n'oublie pas de relire le code", 'no olvides revisar el código', 'note où est la limite'],
  ])('finds no act in "%s"', (words) => expect(readFact(words)).toBeUndefined());

  it('reads what is told first of all corrections and additions', () => {
    for (const { told = '' } of [...rowsOf('corrections'), ...rowsOf('additions')]) {
      expect([told, readFact(told)?.kind]).toEqual([told, 'note']);
    }
  });
});

describe('mayTell()', () => {
  it.each([
    ...['no, releases moved to Friday', 'actually, it is seven now', 'nein, das ist am Freitag'],
    ...['we no longer keep the cache in Redis, it is in Valkey', 'en fait le port est 9090'],
  ])('reads "%s" as a correction that may be offered', (words) => {
    expect(mayTell(words)).toHaveProperty('correction');
  });

  it('reads a sentence that asks nothing as a statement, and a question as neither', () => {
    expect(mayTell('no, they moved')).toEqual({ correction: 'they moved' });
    expect(mayTell('my birthday is on 4 May')).toEqual({ isStatement: true });
    for (const asked of ['actually, where is the limit set?', 'no, which port is it', 'the port']) {
      expect([asked, mayTell(asked)]).toEqual([asked, {}]);
    }
    expect(mayTell('no, the error is this:\nTypeError: x is undefined')).toEqual({});
  });
});
