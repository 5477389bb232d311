import { describe, expect, it } from 'vitest';
import { modelProviders } from '../../src/contracts/output/parse-model.ts';
import { repositoryFiles, sourceFile } from './source-files.ts';
import { pageNames, writtenWords } from './words.ts';

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

/** Pages that say too much; ones of docs/ are for one family of commands, the others for all. */
const tooLong = (pages: readonly Page[]): string[] =>
  pages.flatMap(({ name, text }) => {
    const most = name.startsWith('docs/') ? 1_200 : 1_500;
    const words = writtenWords(text);
    return words > most
      ? [`${name} has ${words} words beside what is generated, limit ${most}`]
      : [];
  });

describe('the pages', () => {
  it('have few words beside what is generated', () => {
    const pages = pageNames().map((name) => ({ name, text: sourceFile(name).text }));
    expect(pages.length).toBeGreaterThan(30);
    expect(tooLong(pages)).toEqual([]);
  });

  it('would be caught with more, and not with what is generated', () => {
    const text = 'one '.repeat(1_201);
    expect(tooLong([{ name: 'docs/a.md', text }])).toHaveLength(1);
    const help = `<!-- help: cuervo ask -->\n${text}\n<!-- end of help -->\n`;
    expect(tooLong([{ name: 'docs/a.md', text: `One.\n${help}` }])).toEqual([]);
  });

  it('name each provider of models', () => {
    const page = sourceFile('docs/models.md').text.toLowerCase();
    const unnamed = (text: string) => modelProviders.filter((name) => !text.includes(name));
    expect(unnamed(page)).toEqual([]);
    expect(unnamed(page.replaceAll('anthropic', ''))).toEqual(['anthropic']);
  });

  it('say in ARCHITECTURE.md what each part holds', () => {
    const rows = [
      ...sourceFile('ARCHITECTURE.md').text.matchAll(/^\| `(src[^`]*)` \| (.*) \| \d+ \|$/gm),
    ];
    expect(rows.length).toBeGreaterThan(30);
    expect(rows.filter(([, , holds]) => holds === '').map(([, part]) => part)).toEqual([]);
  });
});

describe('README.md', () => {
  it('stays below 150 lines', () => {
    const lines = sourceFile('README.md').text.split('\n').length;
    expect(lines).toBeGreaterThan(50);
    expect(lines).toBeLessThan(150);
  });
});
