import { describe, expect, it } from 'vitest';
import { repositoryFiles, sourceFile } from './source-files.ts';

const folder = 'docs/decisions/';
const mostWords = 130;

type Page = { name: string; text: string };

/** What a reader of the list of decisions would miss. */
function faults(records: readonly Page[], list: string): string[] {
  return records.flatMap(({ name, text }) => {
    const number = Number.parseInt(name, 10);
    const [title = '', ...paragraphs] = text.trimEnd().split('\n\n');
    const found: string[] = [];
    if (
      !/^\d{4}-/.test(name) ||
      records.filter(({ name: other }) => other.slice(0, 4) === name.slice(0, 4)).length > 1
    )
      found.push('has no number of its own');
    if (!title.startsWith(`# ${number}. `)) found.push('has another number in its title');
    if (paragraphs.length !== 1) found.push('is not one paragraph');
    if (text.split(/\s+/).length > mostWords) found.push(`has more than ${mostWords} words`);
    const row = `| ${number} | [${title.slice(`# ${number}. `.length)}](${name}) |`;
    if (!list.includes(row)) found.push('is not in the list');
    return found.map((fault) => `${name} ${fault}`);
  });
}

const good: Page = {
  name: '0001-one-thing.md',
  text: '# 1. One thing\n\nOne thing is chosen, because two are more.\n',
};
const listed = '| 1 | [One thing](0001-one-thing.md) |';

describe('the decisions', () => {
  it('are numbered, one paragraph each, and are in the list', () => {
    const names = repositoryFiles()
      .filter((path) => path.startsWith(folder) && !path.endsWith('README.md'))
      .map((path) => path.slice(folder.length))
      .sort();
    expect(names.length).toBeGreaterThan(20);
    const pages = names.map((name) => ({ name, text: sourceFile(folder + name).text }));
    expect(faults(pages, sourceFile(`${folder}README.md`).text)).toEqual([]);
  });

  it.each([
    ['another number', { ...good, name: '0002-one-thing.md' }, listed],
    ['another title', { ...good, text: good.text.replace('# 1.', '# 2.') }, listed],
    ['a second paragraph', { ...good, text: `${good.text}\nAnd more.\n` }, listed],
    [
      'too many words',
      { ...good, text: good.text.replace('One thing is', 'one '.repeat(140)) },
      listed,
    ],
    ['no row in the list', good, ''],
  ])('would be caught with %s', (_, page, list) => {
    expect(faults([good], listed)).toEqual([]);
    expect(faults([page], list)).not.toEqual([]);
  });
});

describe('README.md', () => {
  it('stays below 150 lines', () => {
    const lines = sourceFile('README.md').text.split('\n').length;
    expect(lines).toBeGreaterThan(50);
    expect(lines).toBeLessThan(150);
  });
});
