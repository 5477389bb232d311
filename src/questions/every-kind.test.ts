import { describe, expect, it } from 'vitest';
import { ownTools } from '../../tests/fixtures/tool-of.ts';
import type { AskIntent } from '../contracts/intent.ts';
import { createQuestions } from './create-questions.ts';
import { type KindName, kinds } from './kinds.ts';

type Entry = {
  /** what can be listed: asked for in each of the usual words */
  lists?: readonly string[];
  /** words for one question each */
  same?: readonly (readonly string[])[];
  /** questions with `PATH` where a file stands, or why none is about a file */
  files: readonly string[] | string;
};

const entries: Readonly<Record<KindName, Entry>> = {
  web: {
    same: [
      ['fetch https://a.example/x', 'open https://a.example/x', 'please read https://a.example/x'],
    ],
    files: 'its operand is an address',
  },
  comparison: {
    same: [
      [
        ...[
          'compare openFile and closeFile',
          'what is the difference between openFile and closeFile?',
        ],
        ...['how do openFile and closeFile differ?', 'openFile vs closeFile'],
      ],
    ],
    files: ['compare PATH and src/c.py', 'how does PATH differ from src/c.py?'],
  },
  tests: {
    same: [
      [
        ...[
          'which tests cover openFile?',
          'list the tests for openFile',
          'show the tests of openFile',
        ],
        ...['are there tests for openFile?', 'find the tests of openFile', 'what tests openFile?'],
      ],
    ],
    files: ['which tests cover PATH?', 'where is PATH tested?'],
  },
  history: {
    lists: ['commits', 'tags', 'branches', 'contributors'],
    same: [['who changed it.py last?', 'who edited it.py last?', 'who modified it.py last?']],
    files: [
      'who changed PATH last?',
      'what changed in PATH?',
      'what is new in PATH?',
      'commits to PATH',
    ],
  },
  changes: {
    same: [['what is new in 2.1?', "what's new in version 2.1?", 'what changed in v2.1?']],
    files: 'it is about a release',
  },
  todo: {
    lists: ['todos', 'fixmes'],
    files: ['list the todos in PATH', 'what is left to do in PATH?'],
  },
  complexity: {
    same: [
      [
        ...['list the most complex functions', 'show the most complex functions'],
        ...['which functions are the most complex?', 'what are the most complex functions?'],
      ],
    ],
    files: [
      'which functions are the most complex in PATH?',
      'what is the longest function in PATH?',
    ],
  },
  manifest: {
    lists: ['dependencies', 'scripts', 'workspaces'],
    same: [['which licence does it have?', 'what is the license?', 'show the licence']],
    files: 'the manifests are its files',
  },
  about: {
    same: [['what is this project?', 'what does this project do?', 'what is this project about?']],
    files: 'what one file is about is asked of the file',
  },
  references: {
    same: [
      [
        ...[
          'who calls openFile?',
          'which functions call openFile?',
          'list the callers of openFile',
        ],
        ...['show all callers of openFile', 'what are the callers of openFile?'],
        ...[
          'are there callers of openFile?',
          'find all callers of openFile',
          'where is openFile used?',
        ],
      ],
    ],
    files: ['who calls openFile in PATH?', 'where is openFile used in PATH?'],
  },
  outline: {
    lists: ['classes', 'functions', 'interfaces'],
    files: [
      'which functions are in PATH?',
      'list the classes in PATH',
      'are there any classes in PATH?',
      'outline PATH',
    ],
  },
  imports: {
    same: [['what imports src/a.py?', 'which files import src/a.py?', 'who imports src/a.py?']],
    files: ['what imports PATH?', 'what does PATH import?', 'which dependencies does PATH have?'],
  },
  size: {
    same: [
      [
        ...['list the largest files', 'show the largest files', 'which files are the largest?'],
        ...['what are the biggest files?', 'give me the largest files'],
      ],
    ],
    files: ['how big is PATH?', 'how many lines does PATH have?'],
  },
  listing: {
    lists: ['files', 'python files', 'pdf files', 'folders'],
    files: ['where is PATH?', 'is there a PATH?'],
  },
  file: {
    same: [['show a.log', 'print a.log', 'open a.log', 'what is in a.log?', 'display a.log']],
    files: ['show PATH', 'what does PATH do?', 'summarise PATH', 'what is PATH about?'],
  },
  members: {
    lists: ['plugins', 'themes'],
    files: ['list the themes in PATH'],
  },
  definition: {
    same: [
      [
        ...['where is openFile defined?', 'show the definition of openFile', 'what is openFile?'],
        ...['explain openFile', 'what does openFile do?', 'find openFile'],
      ],
    ],
    files: ['where is openFile defined in PATH?', 'what does openFile do in PATH?'],
  },
  value: {
    same: [['which port does it use?', 'what port does it use?', 'which port is used?']],
    files: ['which port is set in PATH?', 'what is the default timeout in PATH?'],
  },
  collection: {
    lists: [
      'exceptions',
      'routes',
      'commands',
      'environment variables',
      'exit codes',
      'entry points',
    ],
    files: ['list the routes in PATH', 'which environment variables are read in PATH?'],
  },
  guide: {
    same: [['how do I add a theme?', 'how can I add a theme?', 'how to add a theme?']],
    files: 'documents are searched by all its words',
  },
  where: {
    same: [['where is the retry limit set?', 'where do we set the retry limit?']],
    files: ['where is the retry limit set in PATH?'],
  },
  how: {
    same: [['how are dates parsed?', 'explain how dates are parsed']],
    files: ['how are dates parsed in PATH?'],
  },
};

const listed = (noun: string): string[] => [
  ...[`list the ${noun}`, `list all ${noun}`, `show the ${noun}`, `show me all ${noun}`],
  ...[`which ${noun} are there?`, `what ${noun} are there?`, `what are the ${noun}?`],
  ...[`are there any ${noun}?`, `give me the ${noun}`, `find all ${noun}`],
];

const questions = createQuestions();
const asked = {
  tools: ownTools,
  nowMs: Date.UTC(2026, 10, 29),
  workspace: { path: '/', hasFolder: () => false, folderCalled: () => undefined },
};
const read = (text: string): AskIntent => {
  const { intent } = questions.read(text, asked as never);
  if (intent.kind !== 'ask') throw new Error(`"${text}" is read as a ${intent.kind}`);
  return intent;
};
const firstOf = (text: string) => read(text).readings[0];

const named = /openFile|closeFile|\S*\.\w\S*/;
const everyWord = (change: (word: string) => string) => (text: string) =>
  text.replace(/\S+/g, (word) => (named.test(word) ? word : change(word)));
const cases = {
  capitals: everyWord((word) => word.toUpperCase()),
  'small letters': everyWord((word) => word.toLowerCase()),
  'a title': everyWord((word) => `${word.charAt(0).toUpperCase()}${word.slice(1).toLowerCase()}`),
};

const all = Object.entries(entries) as [KindName, Entry][];
const groups = all.flatMap(([kind, { lists = [], same = [] }]) =>
  [...lists.map(listed), ...same].map((texts) => [kind, texts] as const),
);
const fileQuestions = all.flatMap(([kind, { files }]) =>
  typeof files === 'string' ? [] : files.map((text) => [kind, text] as const),
);
/** All that a plan may hold, and what is told as left out. */
const used = (text: string): string => {
  const intent = read(text);
  return JSON.stringify([intent.readings[0], intent.mentions.folder, intent.leftOut]);
};

describe('every kind of question', () => {
  it('has its entry here', () => {
    expect(Object.keys(entries)).toEqual(Object.keys(kinds));
  });

  it.each(groups)('%s: the usual words for the same thing change nothing: %j', (kind, texts) => {
    const [first = '', ...others] = texts;
    expect(firstOf(first).kind, first).toBe(kind);
    for (const other of others) expect(firstOf(other), other).toEqual(firstOf(first));
  });

  it.each(groups)('%s: capitals change nothing: %j', (_, texts) => {
    for (const text of texts)
      for (const [name, change] of Object.entries(cases))
        expect(firstOf(change(text)), `${name}: ${change(text)}`).toEqual(firstOf(text));
  });

  it.each(fileQuestions)('%s: "%s" takes a path', (kind, text) => {
    const by = (path: string): string => text.replace('PATH', () => path);
    const plain = by('src/a.py');
    expect(firstOf(plain).kind).toBe(kind);
    // A test of a file is looked for by the name of the file.
    const path = kind === 'tests' ? '"a"' : 'src/a.py';
    expect(used(plain)).toContain(path);
    for (const quoted of ['`src/a.py`', '"src/a.py"', "'src/a.py'"]) {
      expect(firstOf(by(quoted)), by(quoted)).toEqual(firstOf(plain));
      expect(used(by(quoted)), by(quoted)).toContain(path);
    }
    const line = used(by('src/a.py:12'));
    expect(line, by('src/a.py:12')).toContain(path);
    if (kind !== 'where' && kind !== 'how') expect(line, by('src/a.py:12')).toContain('12');
    const two = used(by('src/a.py and src/b.py'));
    expect(two, by('src/a.py and src/b.py')).toContain(path);
    expect(two, by('src/a.py and src/b.py')).toContain('src/b.py');
  });
});
