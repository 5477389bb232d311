import { pathsIn } from '../../lib/text/words.ts';
import { below } from '../drafts.ts';
import type { Kind } from '../kind.ts';

export type TodoReading = { kind: 'todo'; path?: string; mark?: string };

export const todo: Kind<TodoReading> = {
  fallback: (text, asks) => {
    if (asks !== 'todo') return undefined;
    const [path] = pathsIn(text);
    const mark = /\b(fixme|hack)s?\b/i.exec(text)?.[1]?.toUpperCase();
    return {
      kind: 'todo',
      ...(path === undefined ? {} : { path }),
      ...(mark === undefined ? {} : { mark }),
    };
  },
  named: () => ({ kind: 'todo' }),
  plan: ({ path, mark }, mentions) => [
    {
      tool: 'search.todos',
      input: {
        ...below(mentions),
        ...(path === undefined ? {} : { path }),
        ...(mark === undefined ? {} : { type: mark }),
      },
    },
    ...(path === undefined && mentions.folder === undefined
      ? [{ tool: 'file.find', input: { pattern: '{TODO,ROADMAP,BACKLOG}*' } }]
      : []),
  ],
  // No mark is an answer.
  wider: () => [],
  shape: (_, { isWidened }) => ({
    none: {
      text: 'no TODO, FIXME, HACK or XXX was found',
      hint: 'Only comments are searched for these marks; to search for something else, ask in other words.',
    },
    ...(isWidened ? {} : { says: 'the marks in comments', rows: ['search.todos'] }),
  }),
};
