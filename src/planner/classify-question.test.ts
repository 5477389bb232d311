import { expect, it } from 'vitest';
import { classifyQuestion } from './classify-question.ts';

it.each([
  ['where', 'Where is the retry limit set?'],
  ['where', 'which file reads the config?'],
  ['where', 'who calls openKernel?'],
  ['where', 'in which file are grants parsed?'],
  ['how', 'How does the cache evict entries?'],
  ['how', 'what happens when a token expires?'],
  ['how', 'why are two processes kept warm?'],
  ['how', ''],
  ['how', 'где задаётся порт?'],
  ['list', 'List the test files'],
  ['list', 'please list everything in docs'],
  ['list', 'which files are in src?'],
  ['list', 'what markdown files are there'],
  ['list', 'show all files in src'],
  ['list', 'show me the structure of the project'],
  ['list', 'how many tests are there?'],
  ['show', 'Show me createBudget'],
  ['show', 'print README.md'],
  ['show', 'open src/kernel.ts'],
  ['todo', 'What is left to do?'],
  ['todo', 'list the TODOs'],
  ['todo', 'which FIXMEs are in src?'],
  ['todo', 'what is still unfinished?'],
  ['todo', 'what is not yet implemented?'],
  ['todo', 'Which features are still missing?'],
  ['todo', 'tell me what is not yet implemented'],
  ['how', 'Record batch compression not implemented'],
  ['how', 'how are outstanding requests cancelled?'],
  ['how', 'what happens when a keyword is not implemented?'],
  ['how', 'is the file still open after a crash?'],
])('classifyQuestion() says %s of "%s"', (kind, question) => {
  expect(classifyQuestion(question)).toBe(kind);
});
