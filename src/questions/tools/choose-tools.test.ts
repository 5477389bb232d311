import { describe, expect, it } from 'vitest';
import { ownTools, toolOf } from '../../../tests/fixtures/tool-of.ts';
import type { Likenesses } from '../../contracts/embedder.ts';
import { contentWords } from '../../lib/text/words.ts';
import { readMentions } from '../words/read-mentions.ts';
import { chooseTools, toolsForModel } from './choose-tools.ts';

const tools = [
  toolOf('wordcount.count', { description: 'Number of words in a text.' }),
  toolOf('weather.forecast', { description: 'Weather of the coming days in a city.' }),
  toolOf('file.read', { description: 'The text of a file.' }),
  ...Array.from({ length: 30 }, (_, index) =>
    toolOf(`other${index}.run`, { description: `Runs the text job number ${index}.` }),
  ),
];

it('chooseTools() puts the tool that the words speak of first', () => {
  expect(chooseTools(contentWords('how many words are in this text?'), tools)[0]?.tool.name).toBe(
    'wordcount.count',
  );
  expect(chooseTools(contentWords('what will the weather be?'), tools)[0]?.tool.name).toBe(
    'weather.forecast',
  );
});

it('chooseTools() counts a rare word more than a common one', () => {
  const [first, second] = chooseTools(contentWords('text forecasts'), tools);
  expect(first?.tool.name).toBe('weather.forecast');
  expect(first?.score).toBeGreaterThan(second?.score ?? Number.POSITIVE_INFINITY);
});

it('chooseTools() leaves out what shares no word, and keeps ties in their order', () => {
  expect(chooseTools(contentWords('zebra'), tools)).toEqual([]);
  expect(chooseTools(contentWords(''), tools)).toEqual([]);
  const names = tools.toReversed().map(({ name }) => name);
  const ties = chooseTools(contentWords('job'), tools.toReversed()).map(({ tool }) => tool.name);
  expect(ties.length).toBe(30);
  expect(ties).toEqual(names.filter((name) => ties.includes(name)));
});

it('chooseTools() takes likeness beside words, where it can be told', () => {
  const alike = (each: (text: string) => number): Likenesses => ({
    asked: each,
    nearest: (text) => [each(text)],
  });
  const likenesses = alike((text) => (text.includes('Weather') ? 0.8 : 0.1));
  expect(chooseTools(contentWords('umbrella'), tools)).toEqual([]);
  expect(chooseTools(contentWords('umbrella'), tools, likenesses)[0]?.tool.name).toBe(
    'weather.forecast',
  );
  // Words that fit stand against a meaning that hardly does.
  expect(
    chooseTools(
      contentWords('words'),
      tools,
      alike(() => 0.1),
    )[0]?.tool.name,
  ).toBe('wordcount.count');
});

describe('toolsForModel()', () => {
  const others = Array.from({ length: 10 }, (_, at) =>
    toolOf(`other.tool-${at}`, { description: 'retries failed requests' }),
  );

  it('shows what fits best first, and always what helps with any question', () => {
    const names = toolsForModel(
      readMentions('retry failed requests', false),
      [...others, ...ownTools],
      8,
    ).map(({ name }) => name);
    expect(names).toHaveLength(8);
    expect(names[0]).toMatch(/^other\./);
    expect(names).toEqual(expect.arrayContaining(['search.passages', 'search.grep', 'file.read']));
  });

  it('shows what a goal names, however well others fit', () => {
    const named = toolOf('note.keep-page', { description: 'Something else.' });
    const shown = (goal: string) =>
      toolsForModel(readMentions(goal, false), [...others, ...ownTools, named], 8, {
        asked: () => 0.5,
        nearest: () => [],
      }).map(({ name }) => name);
    expect(shown('retry failed requests, then note, keep page')).toContain('note.keep-page');
    expect(shown('retry failed requests')).not.toContain('note.keep-page');
  });

  it('shows what a change and a commit take, whatever the words name, and to nobody else', () => {
    const kit = ['file.edit', 'shell.run-tests', 'git.stage', 'git.commit'].map((name) =>
      toolOf(name),
    );
    const shown = (goal: string) =>
      toolsForModel(readMentions(goal, false), [...others, ...ownTools, ...kit], 8).map(
        ({ name }) => name,
      );
    const names = kit.map(({ name }) => name);
    expect(shown('fix retries of failed requests and commit that')).toEqual(
      expect.arrayContaining(names),
    );
    expect(shown('fix retries of failed requests')).not.toContain('git.commit');
    expect(shown('who retries failed requests?')).not.toContain('file.edit');
  });

  it('fills up with others, each once', () => {
    const names = toolsForModel(readMentions('nothing of it', false), ownTools, 8).map(
      ({ name }) => name,
    );
    expect(new Set(names).size).toBe(8);
    expect(toolsForModel(readMentions('read', false), ownTools, 2)).toHaveLength(2);
  });
});
