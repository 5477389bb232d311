import { commentStart, syntaxOf } from './comment-start.ts';

export const todoTypes = ['TODO', 'FIXME', 'HACK', 'XXX'] as const;
export type TodoType = (typeof todoTypes)[number];

export type Todo = {
  path: string;
  /** 1-based */
  line: number;
  type: TodoType;
  /** what stands behind the marker */
  text: string;
};

/** For the host's search: lines that can hold a marker. */
export function todoPattern(types: readonly TodoType[]): string {
  return `\\b(?:${types.join('|')})\\b`;
}

/**
 * The marker of one line, when it stands in a comment and is meant as one: at the comment's
 * begin, or followed by a colon or a name in brackets.
 */
export function findTodo(
  match: { path: string; line: number; text: string },
  types: readonly TodoType[],
): Todo | undefined {
  const syntax = syntaxOf(match.path);
  for (const found of match.text.matchAll(new RegExp(todoPattern(types), 'g'))) {
    const start = commentStart(match.text, found.index, syntax);
    if (start < 0) continue;
    const before = match.text.slice(start, found.index);
    const after = match.text.slice(found.index + found[0].length);
    const opens = /^(?:[^\p{L}\p{N}]*|[^\p{L}\p{N}]*@)$/u.test(before);
    if (!opens && !/^(?:\([^)]*\))?:/.test(after)) continue;
    if (/^[`'"]/.test(after)) continue;
    const text = after
      .replace(/^\([^)]*\)/, '')
      .replace(/^[\s:!-]+/, '')
      .replace(/\s*(?:\*\/|-->|\*\})\s*$/, '');
    const { path, line } = match;
    return { path, line, type: found[0] as TodoType, text: text.trim() };
  }
  return undefined;
}
