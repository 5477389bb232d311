import { escapePattern } from '../../lib/text/escape.ts';
import { identifiersIn } from '../../lib/text/words.ts';
import { below, nameOf, rankedPassages } from '../drafts.ts';
import type { Kind } from '../kind.ts';
import { asList, named } from '../shape.ts';
import { isFile, isModule } from '../words/word-bag.ts';
import { definitionReading } from './definition.ts';
import { importedBy, importsOf } from './imports.ts';

/** Who uses a name: all of them, what is made from a class of that name, or who imports it. */
export type ReferencesReading = { kind: 'references'; name: string; only?: 'heirs' | 'imports' };

const using =
  'calls calling callers uses used using users usage usages referenced references invoked thrown raised consumes instantiated instantiates';

export const references: Kind<ReferencesReading> = {
  form: ({ text, path, plain }) => {
    if (path !== undefined) {
      // A package or a folder is imported by its path.
      const isImported =
        importedBy.test(plain) && !isFile(path) && !/\bpackages?\b.*\bdepends?\b/i.test(plain);
      return isImported ? { kind: 'references', name: path, only: 'imports' } : undefined;
    }
    const [name, ...others] = identifiersIn(text);
    if (name === undefined || others.length > 0 || !uses.test(text)) return undefined;
    return { kind: 'references', name };
  },
  rows: [
    {
      names: 'name',
      all: ['imports imported import importing importers required requires includes included'],
      also: 'where who which from else list all module package library crate header',
      reads: ({ name }) => ({ kind: 'references', name, only: 'imports' }),
    },
    {
      names: 'name',
      all: [
        'subclasses subclassed extends extended inherits inherited derived implements implementations implementers heirs',
      ],
      also: 'who which from list all modules module behaviour behavior protocol base abstract mixin concern',
      reads: ({ name, bag: { question } }) => {
        if (/\bhow\b|\bwhere\b|\bimplemented\b/i.test(question)) return undefined;
        // What it inherits from itself stands in its definition.
        return new RegExp(`\\bdo(?:es)? (?:the )?["'\`]?${escapePattern(name)}`).test(question)
          ? definitionReading({ name, isWord: true })
          : { kind: 'references', name, only: 'heirs' };
      },
    },
    {
      names: 'name',
      all: [`${using} depends relies`],
      also: 'where who which from else on list all direct site sites place',
      reads: ({ name, bag }) =>
        /^\s*(?:why|how (?:do|can|should|to))\b/i.test(bag.question) ||
        (isModule(name) && /\bpackages?\b.*\bdepends?\b/i.test(bag.question))
          ? undefined
          : // What it calls itself stands in its definition.
            new RegExp(`\\bdo(?:es)? ["'\`]?${name}`).test(bag.question)
            ? definitionReading({ name, isWord: true })
            : { kind: 'references', name, ...(isModule(name) ? { only: 'imports' } : {}) },
    },
  ],
  named: (mentions) => nameOf(mentions, (name) => ({ kind: 'references', name })),
  plan: ({ name, only }, mentions) => {
    if (only === undefined)
      return [{ tool: 'search.references', input: { name, limit: 100, ...below(mentions) } }];
    if (only === 'heirs')
      return [{ tool: 'search.symbols', input: { from: name, limit: 100, ...below(mentions) } }];
    // `lib/symbols` is imported by other paths from beside it.
    const isPath = /^[\w.-]+(?:\/[\w.-]+)+$/.test(name);
    return [
      ...(isPath
        ? [
            { tool: 'file.find', input: { pattern: `{,**/}${name}.*`, limit: 1 } },
            importsOf('s1', 'importedBy'),
          ]
        : []),
      {
        tool: 'search.grep',
        input: { pattern: importing(name), limit: 100, ...below(mentions) },
      },
    ];
  },
  // A function is used where the file that declares it is included.
  wider: ({ name, only }, { mentions, isFirst }) =>
    isFirst && only === 'imports'
      ? [
          { tool: 'search.references', input: { name, limit: 100, ...below(mentions) } },
          ...rankedPassages('s2', mentions),
        ]
      : undefined,
  shape: ({ name, only }, { isWidened }) => {
    if (isWidened) return { rows: named };
    return {
      rows: asList,
      says: only === 'heirs' ? `what extends or implements ${name}` : `the places that use ${name}`,
    };
  },
};

const uses =
  /^\s*(?:(?:please\s+)?(?:show|list|find|give)(?: me)?\b.*\b(?:callers|usages|uses|references|call sites)\b|(?:who|what|which \w+)\s+(?:else\s+)?(?:calls?|uses?|references?|invokes?|depends? on)\b|where (?:is|are|do we|does anything)\b.*\b(?:used|called|referenced|invoked|use|call)\b|(?:callers|usages|uses|references) (?:of|to)\b)/i;

/** Lines that import a name or a module, as the common languages write them; Go has a line for the path alone. */
function importing(name: string): string {
  const own = escapePattern(name);
  const edge = (at: string) => (/^\w/.test(at) ? String.raw`\b` : '');
  const whole = `${edge(name)}${own}${edge(name.at(-1) ?? '')}`;
  return [
    String.raw`^\s*(?:from|import|export|use|pub use|require|require_once|include|include_once|using|load|source)\b.*${whole}`,
    String.raw`\b(?:require|import)\s*\(.*${whole}`,
    String.raw`^\s*#\s*(?:include|import)\b.*${whole}`,
    String.raw`^\s*(?:[\w.]+\s+)?"[^"\s]*${whole}"$`,
  ].join('|');
}
