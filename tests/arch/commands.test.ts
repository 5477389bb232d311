import { describe, expect, it } from 'vitest';
import { commandPaths } from '../../src/build/help-texts.ts';
import { sourceFile } from './source-files.ts';
import { pageNames } from './words.ts';

const list = 'docs/commands.md';
const compared = 'tests/e2e/both-ways.test.ts';

type Texts = { pages: string; list: string; compared: string };

/** What a command still needs beside `src/cli/program.ts`, one sentence each. */
function missing(paths: readonly string[], texts: Texts): string[] {
  return paths.flatMap((path) => {
    const [, name, ...below] = path.split(' ');
    const block = `<!-- help: ${path} -->`;
    const [, help = ''] = texts.pages.split(block);
    const [shown = ''] = help.split('<!-- end of help -->');
    const [, examples = ''] = shown.split('Examples:');
    const isCommand = name !== undefined && below.length === 0;
    const row = new RegExp(`^\\|[^|]*\`${name}\`[^|]*\\|`, 'm');
    return [
      ...(help === '' ? [`a page of docs/ needs the mark ${block}, then run npm run gen`] : []),
      ...(help !== '' && !examples.includes(path)
        ? [`"${path}" shows no example in its help`]
        : []),
      ...(isCommand && !row.test(texts.list) ? [`${list} needs a row of \`${name}\``] : []),
      ...(isCommand && !texts.compared.includes(`['${name}'`)
        ? [`${compared} needs a line of '${name}'`]
        : []),
    ];
  });
}

const texts: Texts = {
  pages: pageNames()
    .map((path) => sourceFile(path).text)
    .join('\n'),
  list: sourceFile(list).text,
  compared: sourceFile(compared).text,
};

describe('a command', () => {
  it('has its help and examples in a page, its row, and a line among the compared', () => {
    expect(commandPaths().length).toBeGreaterThan(100);
    expect(missing(commandPaths(), texts)).toEqual([]);
  });

  it.each([
    ['the mark', { pages: texts.pages.replace('<!-- help: cuervo map -->', '') }],
    ['an example', { pages: texts.pages.replaceAll('  cuervo map ', '  ') }],
    ['the row', { list: texts.list.replace('`map`', 'map') }],
    ['the line', { compared: texts.compared.replaceAll("['map'", '[') }],
  ])('is found without %s', (_, changed) => {
    expect(missing(commandPaths(), { ...texts, ...changed })).toHaveLength(1);
  });
});
