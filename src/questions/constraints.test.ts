import { describe, expect, it } from 'vitest';
import { nowhere } from './asked-text.ts';
import { leftOutOfSearch } from './constraints.ts';
import { createQuestions } from './create-questions.ts';

const leftOut = (text: string): readonly string[] => {
  const { intent } = createQuestions().read(text, { tools: [], workspace: nowhere });
  if (intent.kind !== 'ask') throw new Error(`"${text}" is read as a ${intent.kind}`);
  return intent.leftOut ?? [];
};

describe('leftOutOf()', () => {
  it.each([
    ['how many commits in June?', ['in June']],
    ['what did Ana change in June?', ['in June']],
    ['how many commits between May and July?', ['between May and July']],
    ['contributors this year', ['this year']],
    ['show the todos of last month', ['last month']],
    ['TODOs by Ana', ['Ana']],
    ['how many todos in Python files', ['Python files']],
    ['show the last five lines of a.log', ['last five lines']],
    ['the 3 largest files', ['3 largest']],
    ['who calls openFile in src/nope?', ['src/nope']],
    ['how many warnings are in logs/app.log?', ['how many warnings (not counted)']],
    ['how many methods does the parser have?', ['how many methods (not counted)']],
    ['which functions take a charset?', ['which functions (not listed)']],
    ['who edited anything here?', ['who (git was not asked)']],
    ['who calls make_response outside of tests?', ['outside of tests']],
    ['show logs/app.log without INFO lines', ['without INFO lines']],
    ['files without tests', ['without tests']],
    ['list all js files except the ones in functions', ['except the ones in functions']],
    ['list todos and fixmes, but not in docs', ['but not in docs']],
    ['how many python files are there, without tests?', ['without tests']],
    ['slow queries over 1500 ms', ['over 1500 ms']],
    ['which files > 10 KB', ['> 10 KB']],
    [
      'welche Funktionen haben mehr als drei Parameter?',
      ['mehr als drei Parameter', 'which functions (not listed)'],
    ],
    ['which users are not admins?', ['which users (not listed)']],
    ['last error in logs/app.log', ['last error']],
    ['functions longer than 50 lines', ['longer than 50 lines']],
    ['which files are larger than 20 KB?', ['larger than 20 KB']],
    ['files modified today', ['today']],
    [`list commits ${'monday '.repeat(4600)}`, []],
    [`in commits in ${"l'".repeat(16_000)}`, []],
    [`commits ${'last '.repeat(6000)}`, []],
    ['show data/config.yaml as json', ['as json']],
    ['count words in notes/a.md', ['how many words (not counted)']],
    ['what is the total qty in data/stock.csv?', ['total (not computed)']],
    ['which files were changed the most?', ['most (not compared)']],
    ['what is the smallest Go file?', ['smallest (not compared)']],
    ['what is the newest file?', ['newest (not compared)']],
    ['average length of functions in src', ['average (not computed)']],
    ['list test files that mention retry', ['which files (not listed)']],
    ['commits in the last week of July 2026', ['in the last week', 'of July']],
    ['generate javadoc', ['generate (doing needs a model)']],
    ['where is the Strictness enum used outside of tests?', ['outside of tests']],
    ['list deprecated methods which lack a test', ['which methods (not listed)']],
    ['which shiny users are not admins?', ['which users (not listed)']],
    ['since when is Ruby 3.3 tested?', ['when (git was not asked)']],
    ['who has the highest salary?', ['highest (not compared)']],
    ['how many errors are in the import log?', ['how many errors (not counted)']],
    ['how much did I spend at Lidl in October?', ['how much (not counted)']],
    ['how often did the import fail?', ['how often (not counted)']],
    ['list the exported functions of src/mux.go', ['exported']],
    ['what public methods does Pattern have?', ['public']],
    ['show the warnings of 5 November in logs/a.log', ['of 5 November', 'warnings']],
  ])('names what no plan of "%s" applies', (text, left) => {
    expect(leftOut(text)).toEqual(left);
  });

  it.each([
    'how many commits last week by Ana Lima?',
    'how much water do the tomatoes need?',
    'how much is the rent?',
    'how many people can sit in the boat?',
    'what happens at most once?',
    'why is the largest request refused?',
    'which commits since v1.2 touched src/x.ts?',
    'commits today',
    'the last 3 commits',
    'what did Ana change?',
    'show lines 5 to 9 of README.md',
    'show the first 10 lines of a.log',
    'show the last 5 lines of a.log',
    'show ERROR lines in logs/worker.log',
    'show the lines with "lost" in logs/worker.log',
    'list the Python files in src',
    'how many Python files are there?',
    'which tests cover harbour.ts?',
    'how many days of holiday does an employee have?',
    'how many lines does message.py have?',
    'which functions call retry?',
    'the first line of a.log',
    'why does it fail at src/a.ts:12?',
    'how do I run it without docker?',
    'which time does new Date() have inside a plugin without the clock?',
    'What keeps a downloaded archive from writing outside its folder?',
    'the paths have more than 16777216 characters; walk less',
    'which options and vocabularies does Ajv for draft 2020-12 switch on',
    'How is a dotted option such as json.indent:2 checked?',
    'what happens when a request takes longer than 30 seconds?',
    'zeige Zeilen 5 bis 10 von logs/app.log',
    'how does it handle more than 3 retries?',
    'what is the total in the report?',
    // Its words are searched, and memory knows the time.
    'when were releases in March?',
  ])('says nothing of "%s", which is applied', (text) => {
    expect(leftOut(text)).toEqual([]);
  });
});

describe('leftOutOfSearch()', () => {
  it.each([
    ['who fixed the buffer overflow?', ['who (git was not asked)']],
    ['when was version 8 released?', ['when (git was not asked)']],
    ['list the packages', ['which packages (not listed)']],
    ['how is the retry limit read?', []],
  ])('names what the words of files do not say of "%s"', (text, left) => {
    const { intent } = createQuestions().read(text, { tools: [], workspace: nowhere });
    expect(intent.kind === 'ask' && leftOutOfSearch(intent)).toEqual(left);
  });
});
