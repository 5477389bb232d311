import { escapePattern } from '../../lib/text/escape.ts';
import { identifiersIn } from '../../lib/text/words.ts';
import { withoutUndefined } from '../../lib/without-undefined.ts';
import { type Draft, from, pathOf } from '../drafts.ts';
import { having, type Kind } from '../kind.ts';
import { asList } from '../shape.ts';
import type { WordBag } from '../words/word-bag.ts';

/** What a file or folder defines; `of` a class its methods; `named` with that in their names. */
export type OutlineReading = {
  kind: 'outline';
  path: string;
  defines?: OutlineKind;
  of?: string;
  named?: string;
};

export type OutlineKind =
  | 'function'
  | 'class'
  | 'struct'
  | 'interface'
  | 'type'
  | 'enum'
  | 'constant';

export const outline: Kind<OutlineReading> = {
  form: ({ text, path, plain }) => {
    const shape = path === undefined ? null : ofPath.exec(plain);
    if (path === undefined || shape === null || identifiersIn(text).length > 0) return undefined;
    const defines = outlined[shape[1]?.toLowerCase() ?? ''];
    return { kind: 'outline', path, ...(defines === undefined ? {} : { defines }) };
  },
  rows: [
    {
      names: 'name',
      all: ['methods members functions', 'what which list show all does has have'],
      also: 'public all class struct type interface module of in on defined offer offers provide provides expose exposes export exports exported define defines declare declares available there',
      reads: ({ name, bag }) =>
        /\b(?:methods|members|functions)\b/i.test(bag.question) &&
        !/\b(?:call|use|test|import)/i.test(bag.question)
          ? { kind: 'outline', path: '.', of: name }
          : undefined,
    },
    {
      names: 'name',
      all: ['callbacks hooks', 'what which list show'],
      also: `all behaviour behavior module protocol interface must implement implemented call calls optional of in on can be ${having}`,
      reads: ({ name }) => ({ kind: 'outline', path: '.', of: name, named: 'callback' }),
    },
    {
      names: 'nothing',
      all: [
        'list show what which name enumerate',
        'classes class interfaces interface structs struct enums enum traits trait types type functions function constants constant',
      ],
      also: 'all exported public defined export exports there exist',
      reads: ({ bag }) => allOf(bag),
    },
    {
      names: 'nothing',
      all: ['list show what which', 'exported exports export public'],
      also: 'api interface all does do',
      reads: () => ({ kind: 'outline', path: '.' }),
    },
    {
      // `list all middleware classes`: those with the word in their name.
      names: 'words',
      all: [
        'list show what which name enumerate',
        'classes interfaces structs enums traits types functions constants',
      ],
      also: 'all exported public defined there exist available are is',
      reads: ({ words, bag }) => {
        const [named = '', ...others] = words;
        const isPart = new RegExp(
          `\\b${escapePattern(named)}\\s+(?:${Object.keys(defined).join('|')})(?:\\s+(?:are\\s+there|exist|are\\s+defined))?\\s*[?.!]*$`,
          'i',
        );
        return others.length === 0 && /^\w{3,}$/.test(named) && isPart.test(bag.question)
          ? { ...(allOf(bag) as OutlineReading), named }
          : undefined;
      },
    },
  ],
  named: (mentions) => pathOf(mentions, (path) => ({ kind: 'outline', path })),
  plan: (reading, { folder }) =>
    planOutline(
      reading.path === '.' && folder !== undefined ? { ...reading, path: folder } : reading,
    ),
  shape: (_, { isWidened }) => (isWidened ? {} : { rows: asList, says: 'definitions' }),
};

const ofPath =
  /^\s*(?:please\s+)?(?:(?:(?:list|show|name|print|give|what|which)(?: me)?(?: (?:are|is))?(?: (?:all|the|of|exported|public|private|main))* (function|method|class|struct|interface|type|enum|constant|definition|symbol|export)e?s .*\b(?:in|of|from|by|has|have|does)\b)|(?:show |print |give )?(?:me )?(?:an? |the )?outline (?:of )?|what is (?:defined|declared|exported) (?:in|by|from)\b|what does\b.*\b(?:define|export|declare)\s*[?.!]*$)/i;
const outlined: Readonly<Record<string, OutlineKind>> = {
  function: 'function',
  method: 'function',
  class: 'class',
  struct: 'struct',
  interface: 'interface',
  type: 'type',
  enum: 'enum',
  constant: 'constant',
};

const defined: Readonly<Record<string, OutlineKind | undefined>> = {
  classes: 'class',
  interfaces: 'interface',
  structs: 'struct',
  enums: 'enum',
  functions: 'function',
  constants: 'constant',
  types: 'type',
  traits: undefined,
};

/** All of one kind that the workspace, or the folder that is named, defines. */
function allOf({ question }: WordBag): OutlineReading | undefined {
  const named = (question.toLowerCase().match(/\p{L}+/gu) ?? []).find((word) =>
    Object.hasOwn(defined, word),
  );
  if (named === undefined) return undefined;
  const kind = defined[named];
  return { kind: 'outline', path: '.', ...(kind === undefined ? {} : { defines: kind }) };
}

function planOutline({ path, defines, of, named }: OutlineReading): Draft[] {
  const input = withoutUndefined({ limit: 100, kind: defines, name: named });
  if (of !== undefined)
    return [
      {
        tool: 'search.symbols',
        input: { of, ...input, ...(path === '.' ? {} : { path }) },
      },
    ];
  if (!/\.\w+$/.test(path)) return [{ tool: 'search.symbols', input: { path, ...input } }];
  return [
    { tool: 'file.find', input: { pattern: path, limit: 5 } },
    { tool: 'search.symbols', input: { path: from('s1', '/paths/0'), ...input } },
  ];
}
