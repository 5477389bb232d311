import { describe, expect, it } from 'vitest';
import { openKernel } from '../../src/kernel.ts';
import { fixtureRepository } from '../support/fixture-repository.ts';
import { openPlace } from '../support/place.ts';
import { lineOf, twoLines } from '../support/run-cuervo.ts';
import { askHere } from '../support/run-here.ts';

describe('a fact that was told and stands in no file', () => {
  it.each([
    [
      'a note',
      'remember that releases happen on Thursdays',
      'on which day do releases happen?',
      'Thursdays',
    ],
    [
      'a note without "that"',
      'note: the invoice owner is Mirela Voss',
      'who is the invoice owner?',
      'Mirela Voss',
    ],
  ])('is found again when it was %s', async (_, said, question, fact) => {
    using place = openPlace(fixtureRepository);
    const first = await askHere(place, said);
    expect(first.code).toBe(0);
    const { run } = lineOf(first, 'run-started');

    const ran = await askHere(place, question);
    expect(ran.code).toBe(0);
    const answer = lineOf(ran, 'answer');
    expect(answer.text).toContain(fact);
    expect(answer.text).toContain('From memory:');
    // No file says it.
    expect(answer.evidence.map(({ text }) => text).join('\n')).not.toContain(fact);

    // The answer names the turn: memory search shows the same id, with the run that it came from.
    const found = await place.cuervo(['memory', 'search', fact, '--json']);
    const turn = found.rows.find((row) => row.run === run);
    expect(answer.memory.map(({ id }) => id)).toContain(turn?.id);
    expect(turn).toMatchObject({ layer: 'interact', project: place.work });
  });

  it('is not seen from another workspace', async () => {
    using place = openPlace({
      'one/a.txt': 'the retry limit is three\n',
      'two/a.txt': 'the retry limit is four\n',
    });
    const { work } = place;
    const ask = (folder: string, words: string) => askHere(place, words, folder);
    await ask('one', 'remember that the staging database is called heron-blue');
    const question = 'what is the staging database called?';
    const here = await ask('one', question);
    expect(lineOf(here, 'answer').text).toContain('heron-blue');
    const there = await ask('two', question);
    expect(there.stdout).not.toContain('heron-blue');

    const search = ['memory', 'search', 'staging database'];
    const inOther = await place.cuervo(search, { cwd: `${work}/two` });
    expect(inOther.stdout).not.toContain('heron-blue');
    const everywhere = await place.cuervo([...search, '--all'], { cwd: `${work}/two` });
    expect(everywhere.stdout).toContain('heron-blue');
  });

  it('does not come with questions about other things', async () => {
    using place = openPlace(fixtureRepository);
    await askHere(place, 'remember that releases happen on Thursdays');
    const ran = await askHere(place, 'where is the tax rate defined?');
    expect(lineOf(ran, 'answer').memory).toEqual([]);
    expect(lineOf(ran, 'answer').text).not.toContain('Thursdays');
  });

  it('answers even where no file says anything', async () => {
    using place = openPlace();
    await askHere(place, 'remember that the door code is 4711');
    const ran = await askHere(place, 'what is the door code?');
    expect(ran.code).toBe(0);
    expect(lineOf(ran, 'answer').text).toContain('4711');
  });

  it('is still found among many files that say the same words', async () => {
    const page = (n: number) => `# Door ${n}\n\nA door, a code, a door code, the door code ${n}.\n`;
    const pages = Array.from({ length: 60 }, (_, n) => [`docs/${n}.md`, page(n)] as const);
    using place = openPlace(Object.fromEntries(pages));
    await askHere(place, 'remember that the door code of the cellar is heron');
    expect((await place.cuervo(['memory', 'add', 'docs'])).code).toBe(0);
    const ran = await askHere(place, 'what is the door code of the cellar?');
    expect(lineOf(ran, 'answer').text).toContain('heron');
  });

  it('is still found after many turns have moved it into the index', async () => {
    using place = openPlace({ 'a.txt': 'nothing to see\n' });
    await askHere(place, 'remember that the door code is 4711');
    {
      await using kernel = await openKernel({ workspace: place.work, home: place.home });
      for (let turn = 0; turn < 20; turn += 1) {
        for await (const _ of kernel.ask(`remember that fact number ${turn} is about ships`)) {
          // its end is all that matters
        }
      }
    }
    const ran = await askHere(place, 'what is the door code?');
    expect(lineOf(ran, 'answer').text).toContain('4711');
  });
});

describe('cuervo memory search', () => {
  it('prints one hit a line, best first, with every factor of its score', async () => {
    using place = openPlace(fixtureRepository);
    await askHere(place, 'remember that releases happen on Thursdays');
    await askHere(place, 'remember that Thursdays and Fridays are quiet');
    const ran = await place.cuervo(['memory', 'search', 'releases on Thursdays', '--json']);
    expect(ran.rows.length).toBe(2);
    const scores = ran.rows.map(({ score }) => Number(score));
    expect(scores).toEqual(scores.toSorted((one, other) => other - one));
    expect(ran.rows[0]).toMatchObject({
      text: 'releases happen on Thursdays',
      factors: { layerWeight: expect.any(Number), decay: expect.any(Number) },
    });
    const text = await place.cuervo(['memory', 'search', 'releases', '-n', '1']);
    expect(text.stdout).toMatch(/interact {2}fact {2}just now\n {2}releases happen on Thursdays\n/);
  });

  it('says that nothing matches', async () => {
    using place = openPlace(fixtureRepository);
    const ran = await place.cuervo(['memory', 'search', 'zebra']);
    expect(ran.code).toBe(4);
    expect(twoLines(ran).error).toBe('nothing in memory matches "zebra"');
  });
});
