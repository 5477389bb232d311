import { withoutUndefined } from '../../lib/without-undefined.ts';
import { below, readAt } from '../drafts.ts';
import { having, type Kind, type KindRow } from '../kind.ts';
import { asList } from '../shape.ts';
import { collections } from './collection-shapes.ts';
import { members } from './members.ts';

/** Places of one kind in the whole workspace, found by the shape of their lines, or of their paths. */
export type CollectionReading = {
  kind: 'collection';
  of: string;
  pattern: string;
  files?: string;
  globs?: string[];
  path?: string;
};

/** Parts that a program has one of, by which people call the whole of it. */
const parts = 'server client daemon tui gui ui cli tool';

export const collection: Kind<CollectionReading> = {
  rows: collections.map(
    ({ of, words, also, ofApi, said, ...shapes }): KindRow => ({
      names: 'nothing',
      all: [words, 'what which where list show all every enumerate name print many does any'],
      also: `${also} ${having} defined custom exposed public ${parts}`,
      // Files of tests are listed, not what stands in them.
      reads: ({ bag }) =>
        said?.test(bag.question) === false || (/\bfiles?\b/i.test(bag.question) && of === 'tests')
          ? undefined
          : {
              ...{ kind: 'collection', of, ...shapes },
              ...(ofApi !== undefined && /\bapi\b/i.test(bag.question) ? { files: ofApi } : {}),
            },
    }),
  ),
  named: () => undefined,
  plan: ({ of, pattern, files, globs, path }, mentions) => [
    ...(enumsOf[of] === undefined
      ? []
      : [
          { tool: 'search.grep', input: { pattern: enumsOf[of], limit: 50, ...below(mentions) } },
          readAt('s1', '/matches/0'),
        ]),
    {
      tool: 'search.grep',
      input: {
        pattern,
        limit: 1000,
        // A call over several lines says on the next ones what it is about.
        after: 2,
        ...below(mentions),
        ...withoutUndefined({ globs, path }),
      },
    },
    ...(files === undefined
      ? []
      : [{ tool: 'file.find', input: { pattern: files, limit: 200, ...below(mentions) } }]),
  ],
  // What no line says may be said by where files lie, as routes and commands are.
  wider: ({ of }, { mentions, isFirst }) =>
    isFirst ? members.plan({ kind: 'members', of: of.replace(/^.* /, '') }, mentions) : undefined,
  shape: (_, { isWidened }) =>
    isWidened
      ? { listsFirst: true }
      : { rows: asList, says: 'the places in code', whole: { pieces: 1, lines: 16 } },
};

/** Enums and tables that hold a whole collection; in Rust clap makes a command of each value. */
const enumsOf: Readonly<Record<string, string>> = {
  commands: String.raw`^\s*#\[derive\(.*\bSubcommand\b|^\s*(?:pub )?enum\s+\w*(?:Command|Cmd)s?\b|^[\w\s*]*\b\w*(?:[cC]omman|[cC]m)d(?:s|s?_?(?:[tT]able|[lL]ist))\s*\[\w*\]\s*=`,
  'exit codes': String.raw`^\s*(?:[a-z]+\s+)*(?:enum|class)\s+\w*Exit_?(?:[Cc]ode|[Ss]tatus)\w*|^\s*(?:[a-z]+\s+)*\w*(?:exit|Exit|EXIT)_?(?:[Cc]odes?|CODES?|[Ss]tatus(?:es)?)\b[^=]*=[^{[(]*[{[]\s*(?:$|["'\w])`,
};
