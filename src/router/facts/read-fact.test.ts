import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readFact } from './read-fact.ts';

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
    ['no, releases moved to Friday', 'correct', 'fact', 'releases moved to Friday'],
    ['en fait le port est 9090', 'correct', 'fact', 'le port est 9090'],
    ['the lead is now Jo, remember that', 'correct', 'fact', 'the lead is now Jo'],
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
    ['wrong, the dog is named Pickle', 'correct', 'fact', 'the dog is named Pickle'],
    ["that isn't true any longer", 'end', 'fact', "that isn't true any longer"],
    ['that was wrong, forget it', 'end', 'fact', 'that was wrong, forget it'],
    ['I take that back', 'end', 'fact', 'I take that back'],
    ['oublie ça', 'end', 'fact', 'oublie ça'],
    ['vergiss nicht, dass der Port 80 ist', 'tell', 'fact', 'der Port 80 ist'],
  ])('reads "%s"', (words, act, as, text) => {
    expect(readFact(words)).toMatchObject({ act, as, text, isWeak: false });
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
    ...['was weißt du über mich?', 'woran erinnerst du dich?', 'was habe ich dir gesagt?'],
    ...['¿qué sabes de mí?', '¿Qué te he dicho?', 'que sais-tu sur moi ?', "que t'ai-je dit ?"],
    ...['o que você sabe sobre mim?', 'o que eu te disse?'],
  ])('reads "%s" as asking for all that was told', (words) => {
    expect(readFact(words)).toMatchObject({ act: 'list' });
  });

  it.each([
    ...['what do you know about the router?', 'what did I tell you about the port?'],
    ...['what do we know about retries?', 'show all facts.ts files', 'was weißt du über den Port?'],
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
    expect(readFact(words)).toMatchObject({ act: 'end', about, isWeak: true });
  });

  it('takes a change that nothing announces as a fact only where it corrects one', () => {
    expect(readFact('the demo was moved to Wednesday')).toMatchObject({ isWeak: true });
    for (const said of [
      'we dropped Slack for Mattermost',
      'they cut the budget to 15k',
      'atlas was renamed hermes',
      'Ben is our new CTO',
      'Ben ist unser neuer CTO',
      'Ana es la nueva jefa',
      'le nouveau trésorier est Ines',
      'o novo gerente é Ana',
    ]) {
      expect([said, readFact(said)?.isWeak]).toEqual([said, true]);
    }
    for (const asked of ['refactor the new parser', 'explain our new parser', 'the new parser']) {
      expect([asked, readFact(asked)]).toEqual([asked, undefined]);
    }
    expect(readFact('the demo is on Wednesday')).toBeUndefined();
  });

  it('passes over several beginnings', () => {
    const said = 'oh sorry, I meant the key is under the red pot';
    expect(readFact(said)).toMatchObject({ text: 'the key is under the red pot', isWeak: true });
  });

  it('reads no change out of a report', () => {
    const title = 'the demo was moved to Wednesday';
    expect(readFact(`${title}\n\nSteps to reproduce: open the page.`)).toBeUndefined();
    expect(readFact(`${title} ${'and the page shows another day '.repeat(10)}`)).toBeUndefined();
  });

  it('takes the message of a program for a question', () => {
    for (const word of ['error:', 'Error:', 'erreur :', 'erro:', 'Fehler:', 'error -', 'ERROR '])
      expect(readFact(`${word} the paths have more than 1000 entries`)).toBeUndefined();
    expect(readFact('error, la demo es el martes')).toMatchObject({ text: 'la demo es el martes' });
  });

  it('stores none of 60 questions that begin like facts', () => {
    const read = rowsOf('fact-like-questions').filter(({ text = '' }) => readFact(text));
    expect(read).toEqual([]);
  });

  it.each([
    ...['actually, never mind', 'no, the other one', 'please note', 'never forget that', 'no'],
    ...['actually the tests fail, why', 'note how the config is read', 'I prefer to know why'],
    ...['correction needed in which file', 'what is now broken', 'note où se trouve la limite'],
  ])('finds no fact in "%s"', (words) => expect(readFact(words)).toBeUndefined());

  it('reads both sentences of all corrections and additions', () => {
    for (const { told = '', said = '' } of [...rowsOf('corrections'), ...rowsOf('additions')]) {
      expect([told, readFact(told)?.kind]).toEqual([told, 'note']);
      expect([said, readFact(said)?.kind]).toEqual([said, 'note']);
    }
  });
});
