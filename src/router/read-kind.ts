import type { Lines, Reading } from '../contracts/intent.ts';
import { identifiersIn, pathsIn } from '../lib/text/words.ts';
import { classifyQuestion } from './classify-question.ts';
import { readListing } from './file-pattern.ts';

/** What a question wants by its words alone: the reading that every question has. */
export function readKind(question: string): Reading {
  switch (classifyQuestion(question)) {
    case 'todo':
      return readTodo(question);
    case 'list':
      return readListing(question) ?? { kind: 'how' };
    case 'show':
      return readShow(question);
    case 'where': {
      const [name] = identifiersIn(question);
      return { kind: 'where', ...(name === undefined ? {} : { name }) };
    }
    case 'how':
      return { kind: 'how' };
  }
}

function readTodo(question: string): Reading {
  const [path] = pathsIn(question);
  const mark = /\b(fixme|hack)s?\b/i.exec(question)?.[1]?.toUpperCase();
  return {
    kind: 'todo',
    ...(path === undefined ? {} : { path }),
    ...(mark === undefined ? {} : { mark }),
  };
}

function readShow(question: string): Reading {
  const [path] = pathsIn(question).filter((found) => !found.includes('*'));
  if (path !== undefined) return { kind: 'file', path, lines: linesIn(question, path) };
  if (/\b(?:folder|directory)\b/i.test(question)) {
    const listing = readListing(question);
    if (listing?.path !== undefined) return listing;
  }
  const name = identifiersIn(question)[0];
  if (name === undefined) return { kind: 'how' };
  const isName = /^[\w$]+(?:(?:\.|::)[\w$]+)*$/.test(name);
  return { kind: 'definition', name, isName };
}

/** `lines 5 to 7`, `line 12`, and places as answers print them: `a.ts:5-7`, `a.ts:12`. */
export function linesIn(question: string, path: string): Lines {
  const behind = question.slice(question.indexOf(path) + path.length);
  const place = /^:(\d+)(?:[-–](\d+))?/.exec(behind);
  if (place?.[2] !== undefined) return { start: Number(place[1]), end: Number(place[2]) };
  if (place !== null) return { around: Number(place[1]) };
  const range = /\blines?\s+(\d+)\s*(?:-|–|to|through|and|until)\s*(\d+)/i.exec(question);
  if (range !== null) return { start: Number(range[1]), end: Number(range[2]) };
  const first = /\bfirst\s+(\d+)\s+lines\b/i.exec(question)?.[1];
  if (first !== undefined) return { start: 1, end: Number(first) };
  const line = /\bline\s+(\d+)/i.exec(question);
  return line === null ? {} : { start: Number(line[1]), end: Number(line[1]) };
}
