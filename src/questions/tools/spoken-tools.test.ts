import { describe, expect, it } from 'vitest';
import { ownTools, toolOf } from '../../../tests/fixtures/tool-of.ts';
import { readMentions } from '../words/read-mentions.ts';
import { spokenTool } from './spoken-tools.ts';

const path = { path: { type: 'string' } };
const rows = toolOf('csv-kit.count', {
  description: 'Counts rows and columns of a CSV file.',
  properties: path,
  required: ['path'],
});
const filter = toolOf('csv-kit.filter', {
  description: 'Rows of a CSV file that match a condition.',
  properties: { ...path, condition: { type: 'string' } },
  required: ['path', 'condition'],
});
const format = toolOf('csv-kit.format', {
  description: 'Formats the columns of a CSV file.',
  effect: 'write',
  properties: path,
  required: ['path'],
});

const spoken = (goal: string, isParticular = false, others = [rows, filter, format]) =>
  spokenTool(readMentions(goal, false), [...ownTools, ...others], { isParticular });

describe('spokenTool()', () => {
  it('is the tool that a goal plainly speaks of, with what the goal names as its input', () => {
    expect(spoken('how many rows and columns has data/sales.csv?')).toMatchObject({
      tool: { name: 'csv-kit.count' },
      input: { path: 'data/sales.csv' },
      missing: [],
      ties: [],
    });
  });

  it('is none for a goal of other things, of one word, or that tools of our own fit better', () => {
    expect(spoken('where is the retry limit of a request set?')).toBeUndefined();
    expect(spoken('rows?')).toBeUndefined();
    expect(spoken('lines of a file that match a pattern', false, [])).toBeUndefined();
  });

  it('is found beside a text that is quoted for it', () => {
    const longest = toolOf('words.longest', {
      description: 'Finds the longest word of a text.',
      properties: { text: { type: 'string' } },
      required: ['text'],
    });
    const goal = 'which is the longest word of "alpha beta gammas"?';
    expect(spoken(goal, false, [longest])).toMatchObject({ input: { text: 'alpha beta gammas' } });
    expect(spoken('who calls "alpha beta gammas"?', false, [longest])).toBeUndefined();
  });

  it('says what a goal lacks in place of an input', () => {
    expect(spoken('which rows of a.csv match a condition?')).toMatchObject({
      tool: { name: 'csv-kit.filter' },
      input: undefined,
      missing: ['condition'],
    });
  });

  it('is another one of the plugin where the best lacks its input, and reads a path as a path', () => {
    const words = [
      toolOf('words.count', {
        description: 'Counts the words of a text.',
        properties: { text: { type: 'string' } },
        required: ['text'],
      }),
      toolOf('words.count-file', {
        description: 'Counts the words of a file.',
        effect: 'read',
        properties: path,
        required: ['path'],
      }),
    ];
    for (const goal of ['count the words in notes.txt', 'how many words are in docs/plan-b.md?'])
      expect(spoken(goal, false, words)).toMatchObject({
        tool: { name: 'words.count-file' },
        input: { path: expect.stringMatching(/^(notes\.txt|docs\/plan-b\.md)$/) },
      });
    expect(spoken('count the words of "one two"', false, words)?.tool.name).toBe('words.count');
    for (const goal of [
      'where is the timeout set in src/words.ts?',
      'explain the text in notes.txt',
    ])
      expect(spoken(goal, false, words)).toBeUndefined();
  });

  it('must be spoken of more plainly where our own tools have an answer', () => {
    const goal = 'how many columns and mistakes are in sales.csv?';
    expect(spoken(goal)?.tool.name).toBe('csv-kit.count');
    expect(spoken(goal, true)).toBeUndefined();
    expect(spoken('count rows and columns of sales.csv', true)?.tool.name).toBe('csv-kit.count');
  });

  it('changes files only where a change is asked for', () => {
    expect(spoken('formats of the columns of a.csv', false, [format])).toBeUndefined();
    expect(spoken('format the columns of a.csv', false, [format])?.tool.name).toBe(
      'csv-kit.format',
    );
    expect(spoken('change formats of the columns of a.csv', false, [format])?.tool.name).toBe(
      'csv-kit.format',
    );
  });

  it('names the others of a tie, whatever their names are', () => {
    const twin = { ...rows, name: 'other.count', plugin: 'csv-kit' };
    const twins = [
      toolOf('b-kit.tally', { description: 'Tallies rows and columns of tables.' }),
      toolOf('a-kit.tally', { description: 'Tallies rows and columns of tables.' }),
    ];
    const found = spoken('tally rows and columns of tables', false, twins);
    expect(found?.tool.name).toBe('b-kit.tally');
    expect(found?.ties).toEqual(['a-kit.tally']);
    expect(spoken('count rows and columns of a.csv', false, [rows, twin])?.ties).toEqual([]);
    // What a plugin is called must not decide between two tools of one name.
    const namesake = toolOf('csv-set.count', {
      description: 'Counts rows and columns of each CSV file.',
      properties: path,
      required: ['path'],
    });
    const mentions = readMentions('how many rows and columns has a.csv?', false);
    const both = spokenTool(mentions, [...ownTools, rows, namesake], {
      isParticular: false,
      likenesses: () => ({
        asked: (text) => (text.startsWith('csv kit') ? 0.6 : 0.5),
        nearest: () => mentions.goal.map(() => 0.5),
      }),
    });
    expect([both?.tool.name, both?.ties]).toEqual(['csv-kit.count', ['csv-set.count']]);
  });
});
