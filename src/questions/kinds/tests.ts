import { escapePattern } from '../../lib/text/escape.ts';
import { below, nameOf } from '../drafts.ts';
import type { Kind } from '../kind.ts';
import { asList } from '../shape.ts';
import { isModule } from '../words/word-bag.ts';

/** Tests that hold a name. */
export type TestsReading = { kind: 'tests'; name: string };

export const tests: Kind<TestsReading> = {
  rows: [
    {
      names: 'name',
      all: ['tests tested testing coverage covered covering covers spec specs'],
      also: 'unit case cases suite exercise check exist where how which what import use call reference',
      reads: ({ name }) => (isModule(name) ? undefined : { kind: 'tests', name }),
    },
    {
      names: 'word',
      all: ['tests test specs', 'where which show list find what'],
      also: 'unit for of',
      reads: ({ name, bag }) =>
        new RegExp(
          `\\b(?:tests?|specs?)\\s+(?:for|of)\\s+(?:the\\s+)?${escapePattern(name)}\\s*[?.!]*$`,
          'i',
        ).test(bag.question)
          ? { kind: 'tests', name }
          : undefined,
    },
    {
      names: 'word',
      all: ['tests test specs'],
      also: 'unit for of',
      reads: ({ name, bag }) =>
        new RegExp(
          `^\\s*(?:is|are) there (?:an? |any )?(?:unit )?(?:tests?|specs?) (?:for|of) (?:the )?${escapePattern(name)}\\s*[?.!]*$`,
          'i',
        ).test(bag.question)
          ? { kind: 'tests', name }
          : undefined,
    },
    {
      names: 'file',
      all: ['test tests tested coverage covers'],
      also: 'unit case where',
      // A file of tests is tested by none; its own are asked for.
      reads: ({ file }) => (ofTests.test(file) ? undefined : { kind: 'tests', name: stemOf(file) }),
    },
  ],
  named: (mentions) => nameOf(mentions, (name) => ({ kind: 'tests', name })),
  plan: ({ name }, mentions) => [
    { tool: 'file.find', input: { pattern: testsOf(name), limit: 10, ...below(mentions) } },
    { tool: 'search.references', input: { name, tests: true, limit: 100, ...below(mentions) } },
    {
      tool: 'search.grep',
      input: { pattern: namedAfter(name), caseInsensitive: true, limit: 30, ...below(mentions) },
    },
  ],
  // Tests are looked for by the name of a file.
  applies: () => ['place'],
  shape: ({ name }, { isWidened }) =>
    isWidened
      ? { lacks: `no test of "${name}" was found` }
      : { rows: asList, says: 'the tests that hold the name', listsFirst: true },
};

/** Files of tests that are named after a file or a name. */
function testsOf(name: string): string {
  const own = name.replace(/^.*(?:\.|::|#)/, '');
  const snake = own.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase();
  const all = new Set([own, snake, snake.replaceAll('_', '-')]);
  const forms = [...all].flatMap((each) => [
    ...[`test_${each}`, `test-${each}`, `${each}_test`, `${each}-test`],
    ...[`${each}.test`, `${each}.tests`, `${each}.spec`, `${each}_spec`],
    ...[`${each}Test`, `${each}Tests`, `Test${each}`],
  ]);
  return `{${forms.join(',')}}.*`;
}

/** `func TestFetch`, `def test_fetch`, `it('fetch …`: a test need not use what it is named after. */
function namedAfter(name: string): string {
  const own = escapePattern(name.replace(/^.*(?:\.|::|#)/, ''));
  return `\\b(?:func|def|fn|fun|void|class)\\s+test\\w*${own}|\\b(?:it|test|describe)\\(\\s*['"\`][^'"\`]*\\b${own}\\b`;
}

const ofTests = /(?:^|\/)[Tt]ests?[_-][^/]*$|(?:[._-](?:[Tt]ests?|[Ss]pec)|[a-z0-9]Tests?)\.\w+$/;

function stemOf(file: string): string {
  return file.replace(/^.*\//, '').replace(/\.\w+$/, '');
}
