import { defineCases } from '@cuervo/sdk/testing';

export default defineCases([
  {
    name: 'counts the words of a text',
    tool: 'count',
    input: { text: 'one  two\nthree' },
    expect: { content: { words: 3 }, summary: '3 words in the text' },
  },
  {
    name: 'counts the words of a file',
    tool: 'count-file',
    input: { path: 'notes.txt' },
    files: { 'notes.txt': 'four words are here\n' },
    grants: ['fs:work'],
    expect: { content: { words: 4 } },
  },
  {
    name: 'reads nothing without a grant',
    tool: 'count-file',
    input: { path: 'notes.txt' },
    files: { 'notes.txt': 'four words are here\n' },
    expect: { error: 'permission-denied' },
  },
]);
