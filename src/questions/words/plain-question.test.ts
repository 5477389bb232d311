import { describe, expect, it } from 'vitest';
import { plainQuestion } from './plain-question.ts';

describe('plainQuestion()', () => {
  it.each([
    ['hey, can you tell me where the cache is pls', 'where the cache is'],
    ['hi, where is the parser?', 'where is the parser?'],
    ['hello there, where is the parser?', 'where is the parser?'],
    ['Guten Tag, wo ist der Parser?', 'wo ist der Parser?'],
    ['ok so whats new', "what's new"],
    ['why doesnt it close', "why doesn't it close"],
    ['min node version', 'minimum node version'],
    ['when does a request time out?', 'when does a request timeout?'],
    ['who wrote the replay stuff', 'who wrote the replay'],
    ['list the Word documents', 'list the docx files'],
    ['how many PDFs are there?', 'how many PDF files are there?'],
    ['count the test files', 'how many test files are there'],
    ['I want to know how it starts, thanks', 'how it starts'],
  ])('reads "%s" as "%s"', (question, expected) => {
    expect(plainQuestion(question)).toBe(expected);
  });

  it.each([
    'where is whats_new defined?',
    'so',
    'show min.js',
    'please',
    'what is so/why.ts?',
    'find the word file_name',
  ])('leaves "%s" as it is', (question) => {
    expect(plainQuestion(question)).toBe(question);
  });
});
