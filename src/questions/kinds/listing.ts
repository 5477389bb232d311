import type { AskedWorkspace } from '../../contracts/questions.ts';
import { escapePattern } from '../../lib/text/escape.ts';
import { contentWords, pathsIn } from '../../lib/text/words.ts';
import { from, screenLines } from '../drafts.ts';
import type { Kind } from '../kind.ts';
import { noFile } from '../shape.ts';
import { isKind, kindPattern, withPlainKinds } from '../words/file-kinds.ts';
import { listedFolder } from '../words/folder-words.ts';

/** Which files a question that lists files means. */
export type ListingReading = {
  kind: 'listing';
  /** a glob, or part of a name */
  pattern: string;
  /** the folder to look in, when one is named */
  path?: string;
  /** the question is about the tree itself */
  tree: boolean;
  /** a file of this very name is asked for */
  isNamed?: true;
};

export const listing: Kind<ListingReading> = {
  rows: [
    {
      names: 'file',
      all: ['where find locate is are do does have has exists'],
      also: 'located live lives which folder directory there any called named path exist in stand',
      reads: ({ file, bag }) =>
        /^\s*(?:where|find|locate|which folder|is|are|do|does)\b/i.test(bag.question) &&
        // What is in a file is not the file.
        !new RegExp(`\\b(?:in|inside|within|of)\\s+["'\`]?${escapePattern(file)}`).test(
          bag.question,
        )
          ? { kind: 'listing', pattern: file, tree: false, isNamed: true }
          : undefined,
    },
    {
      names: 'nothing',
      all: ['where', 'tests test specs'],
      also: 'find located live',
      reads: () => ({ kind: 'listing', pattern: '{*test*,*spec*}', tree: false }),
    },
    {
      // `where are the e2e tests?`
      names: 'word',
      all: ['where', 'tests specs'],
      also: 'find located live',
      reads: ({ name, bag }) =>
        new RegExp(`\\b${escapePattern(name)} (?:tests|specs)\\b`, 'i').test(bag.question)
          ? {
              ...{ kind: 'listing', tree: false },
              pattern: `{**/*${name}*/**/*{test,spec}*,**/*${name}*{test,spec}*}`,
            }
          : undefined,
    },
  ],
  lateForm: ({ text, workspace }) => {
    const listed = listedFolder(text, workspace.hasFolder);
    return listed === undefined
      ? undefined
      : { kind: 'listing', pattern: '*', path: listed, tree: true };
  },
  fallback: (text, asks, workspace) => {
    if (asks === 'list')
      return listedFile(text, workspace) === undefined ? readListing(text) : undefined;
    if (asks !== 'show' || !/\b(?:folder|directory)\b/i.test(text)) return undefined;
    const shown = readListing(text);
    return shown?.path === undefined ? undefined : shown;
  },
  named: () => ({ kind: 'listing', pattern: '*', tree: true }),
  plan: (reading, mentions) => {
    const { tree } = reading;
    const folder = reading.path ?? mentions.folder;
    const place = folder === undefined ? {} : { path: folder };
    // The folder is known, so it need not be looked for at any depth.
    const pattern =
      mentions.folder === undefined
        ? reading.pattern
        : reading.pattern.replace(/^\*\*\/.+?\/\*\*\//, '');
    if (tree && pattern === '*')
      return [{ tool: 'file.tree', input: { ...place, depth: 3, lines: screenLines } }];
    return [
      { tool: 'file.find', input: { pattern, limit: 200, ...place } },
      { tool: 'file.stat', input: { paths: from('s1', '/paths') } },
    ];
  },
  // A file that is not there is not answered by what speaks of it.
  wider: ({ isNamed }, { isFirst }) => (isFirst && isNamed ? [] : undefined),
  shape: ({ isNamed, pattern }) => (isNamed ? { none: noFile(pattern) } : undefined),
  applies: () => ['files'],
  isLoose: true,
};

/** `what is in bin/tool?` names a file without an ending, where there is no such folder. */
export function listedFile(text: string, { path: root, hasFolder }: AskedWorkspace) {
  const { path = '', pattern } = readListing(text) ?? {};
  const isFile = root !== '/' && pattern === '*' && path.includes('/') && !hasFolder(path);
  return isFile ? path : undefined;
}

/** Words that say "files" and nothing about which. */
const generic = new Set(
  `file files folder folders directory directories source sources code every everything repository
  project tree structure layout workspace name names contents there here`.split(/\s+/),
);

/** What a file is for, as its name says in every language. */
const roles = /^(?:tests?|specs?|examples?|benchmarks?|fixtures?)$/;

/** Words about the content of files, not their names: `list the Go files that import net/http`. */
const saysContent =
  /\bfiles?\s+(?:(?:that|which|who)\s+(?:(?:do|does)(?:n['’]t| not)\s+|never\s+)?)?(?:contain|mention|import|use|call|reference|include|require|depend|define|export|implement|need|read|write|handle|test)(?:s|ing)?\b/i;

/** Which files a question that lists files means; undefined when it lists something else. */
function readListing(asked: string): ListingReading | undefined {
  if (saysContent.test(asked)) return undefined;
  const question = withPlainKinds(asked);
  const paths = pathsIn(question);
  const glob = paths.find((path) => path.includes('*'));
  const folder = paths.find((path) => path !== glob && !/\.\w+$/.test(path)) ?? folderIn(question);
  const file = glob === undefined ? paths.find((path) => /[^/.]\.\w+$/.test(path)) : undefined;
  // What stands in one file is not a list of files: `list the routes in server.go`.
  if (file !== undefined)
    return isNameOfMany(question, file)
      ? { kind: 'listing', pattern: file, tree: false }
      : undefined;
  const path = folder === undefined ? {} : { path: folder };
  const loose = folder === undefined ? looseFolderIn(question) : undefined;
  const within = (pattern: string): string =>
    loose === undefined ? pattern : `**/${loose}/**/${pattern}`;
  const words = contentWords(question).filter(
    (word) => word !== loose?.toLowerCase() && !folder?.toLowerCase().includes(word),
  );
  const tree = /\b(tree|structure|layout|folders|directories)\b/i.test(question);
  if (glob !== undefined) return { kind: 'listing', pattern: glob, ...path, tree };
  const byKind = kindPattern(question, words);
  const rest = words.filter((word) => !generic.has(word) && !isKind(word));
  if (rest.length > mostWords(question)) return undefined;
  const named = /\bfiles?\b/i.test(question)
    ? rest.find((word) => /^[a-z]{3,}$/.test(word))
    : undefined;
  if (byKind !== undefined) {
    const role = rest.find((word) => roles.test(word));
    const pattern = role === undefined ? byKind : `*${singular(role)}${byKind}`;
    return { kind: 'listing', pattern: within(pattern), ...path, tree };
  }
  if (named !== undefined)
    return { kind: 'listing', pattern: within(`*${singular(named)}*`), ...path, tree };
  if (loose !== undefined && !tree) return { kind: 'listing', pattern: within('*'), tree };
  if (tree || folder !== undefined || (/\bfiles\b/i.test(question) && rest.length === 0)) {
    return { kind: 'listing', pattern: '*', ...path, tree: tree || folder === undefined };
  }
  return undefined;
}

/** `all package.json files`, `every Cargo.toml`, `files called config.ts`. */
function isNameOfMany(question: string, name: string): boolean {
  const [before = '', behind = ''] = question.split(name);
  return (
    /^[`"']?\s+files\b/i.test(behind) ||
    /\b(?:all|every|each|many|called|named)(?: the)?\s+[`"']?$/i.test(before)
  );
}

/**
 * More words than these say what files do, not which they are: `which files are left out when
 * words are counted`, `list the files that open a socket`.
 */
function mostWords(question: string): number {
  return /^\s*(?:which|what|how)\b/i.test(question) ? 1 : 2;
}

/** `in the src folder`, `below docs`, `in .github`. */
function folderIn(question: string): string | undefined {
  const match =
    /\b(?:in|below|under|inside|of|show|open|list|print|me)\s+(?:the\s+)?([a-z][\w-]*)\s+(?:folder|directory)\b/i.exec(
      question,
    ) ??
    /\b(?:folder|directory)\s+([a-z][\w/-]*)/i.exec(question) ??
    /\b(?:below|under|inside)\s+([a-z][\w/-]*)/i.exec(question) ??
    /(?<!\bend(?:s|ing)?\s)\b(?:in|below|under|inside)\s+(?:the\s+)?(\.[a-z][\w/-]*)/i.exec(
      question,
    );
  return match?.[1];
}

/** `files in docs`, `what is in docs?`: a folder of that name at any depth, which may be none. */
function looseFolderIn(question: string): string | undefined {
  const match =
    /(?:\bfiles?\s+(?:(?:are|is|there)\s+)*|^what(?:'s|\s+is)\s+)in\s+(?:the\s+)?([a-z][\w-]*)\s*[?.!]?$/i.exec(
      question.trim(),
    );
  const name = match?.[1];
  if (name === undefined || generic.has(name.toLowerCase())) return undefined;
  return isLanguage(name) ? undefined : name;
}

/** `files in python` are of a language; `docs` is a folder before it is a kind. */
function isLanguage(name: string): boolean {
  return isKind(name) && !/^(docs|config|images)$/i.test(name);
}

function singular(word: string): string {
  return word.length > 4 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}
