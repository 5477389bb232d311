import { pathsIn } from '../../lib/text/words.ts';
import { withoutUndefined } from '../../lib/without-undefined.ts';
import { below } from '../drafts.ts';
import type { Kind } from '../kind.ts';

export type TodoReading = { kind: 'todo'; path?: string; mark?: string; isDone?: true };

export const todo: Kind<TodoReading> = {
  fallback: (text, asks) => {
    if (asks !== 'todo') return undefined;
    const [path] = pathsIn(text);
    const mark = /\b(fixme|hack)s?\b/i.exec(text)?.[1]?.toUpperCase();
    return {
      kind: 'todo',
      ...withoutUndefined({ path, mark }),
      ...(/\b(?:done|did|finished|completed|closed|ticked)\b/i.test(text) &&
      !/\b(?:to be|not) /i.test(text)
        ? { isDone: true as const }
        : {}),
    };
  },
  named: () => ({ kind: 'todo' }),
  plan: ({ path, mark, isDone }, mentions) => [
    ...(isDone
      ? []
      : [
          {
            tool: 'search.todos',
            input: { ...below(mentions), ...withoutUndefined({ path, type: mark }) },
          },
        ]),
    // A list of tasks in a document.
    ...(mark === undefined
      ? [
          {
            tool: 'search.grep',
            input: {
              pattern: String.raw`^\s*[-*+] \[${isDone ? '[xX]' : ' '}\] `,
              limit: 100,
              ...below(mentions),
              ...withoutUndefined({ path }),
            },
          },
        ]
      : []),
    ...(path === undefined && mentions.folder === undefined && !isDone
      ? [{ tool: 'file.find', input: { pattern: '{TODO,ROADMAP,BACKLOG}*' } }]
      : []),
  ],
  // No mark is an answer.
  wider: () => [],
  shape: ({ isDone }, { isWidened }) => ({
    none: {
      text: isDone
        ? 'no task that is done was found'
        : 'no TODO, FIXME, HACK or XXX and no open task was found',
      hint: 'Comments are searched for marks, and lines for "- [ ]" or "- [x]"; to search for something else, ask in other words.',
    },
    ...(isWidened
      ? {}
      : {
          says: isDone
            ? 'what is marked as done'
            : 'what is marked as TODO, FIXME, HACK, XXX or open',
          rows: ['search.todos', 'search.grep'],
        }),
  }),
};
