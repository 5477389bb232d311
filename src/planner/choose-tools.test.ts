import { expect, it } from 'vitest';
import { toolOf } from '../../tests/fixtures/tool-of.ts';
import { chooseTools } from './choose-tools.ts';

const tools = [
  toolOf('wordcount.count', { description: 'Number of words in a text.' }),
  toolOf('weather.forecast', { description: 'Weather of the coming days in a city.' }),
  toolOf('file.read', { description: 'The text of a file.' }),
  ...Array.from({ length: 30 }, (_, index) =>
    toolOf(`other${index}.run`, { description: `Runs the text job number ${index}.` }),
  ),
];

it('chooseTools() puts the tool that the words speak of first', () => {
  expect(chooseTools('how many words are in this text?', tools)[0]?.tool.name).toBe(
    'wordcount.count',
  );
  expect(chooseTools('what will the weather be?', tools)[0]?.tool.name).toBe('weather.forecast');
});

it('chooseTools() counts a rare word more than a common one', () => {
  const [first, second] = chooseTools('text forecasts', tools);
  expect(first?.tool.name).toBe('weather.forecast');
  expect(first?.score).toBeGreaterThan(second?.score ?? Number.POSITIVE_INFINITY);
});

it('chooseTools() leaves out what shares no word, and orders ties by name', () => {
  expect(chooseTools('zebra', tools)).toEqual([]);
  expect(chooseTools('', tools)).toEqual([]);
  const ties = chooseTools('job', tools.toReversed()).map(({ tool }) => tool.name);
  expect(ties.length).toBe(30);
  expect(ties).toEqual(ties.toSorted());
});
