import type { Folders } from '../../contracts/questions.ts';
import { pathsIn } from '../../lib/text/words.ts';
import { isFile } from './word-bag.ts';

const path = String.raw`((?:[\w.@+-]+/)*\.?[\w@+-][\w.@+-]*?)`;
const inside = '(?:in|under|below|inside|within|beneath|of|from)';
const noun = '(?:folder|directory|dir|package|module|crate)';
const forms: readonly { pattern: RegExp; isPlain: boolean }[] = [
  {
    pattern: new RegExp(`\\s${inside}\\s+(?:the\\s+)?${noun}\\s+["'\`]?${path}/?["'\`]?`, 'giu'),
    isPlain: false,
  },
  {
    pattern: new RegExp(`\\s${inside}\\s+(?:the\\s+)?["'\`]?${path}/?["'\`]?\\s+${noun}\\b`, 'giu'),
    isPlain: false,
  },
  {
    pattern: new RegExp(
      `\\s(?:in|under|below|inside|within|beneath)\\s+["'\`]?${path}/?["'\`]?(?=[\\s?!,]|\\.(?!\\w)|$)`,
      'giu',
    ),
    isPlain: true,
  },
];
const longestQuestion = 100;
/**
 * The folder that a question is about, as `in src/http` or `in the http folder` say it.
 *
 * @returns the question without it as `rest`, which is the whole question where there is none
 */
export function folderIn(
  question: string,
  { hasFolder, folderCalled }: Folders,
): { folder?: string; rest: string } {
  // A long question tells of folders; a short one is about one.
  if (question.length > longestQuestion) return { rest: question };
  for (const { pattern, isPlain } of forms) {
    for (const match of question.matchAll(pattern)) {
      const named = match[1] as string;
      // A file of that name, perhaps, and no folder; a plain word is one only at the top.
      const atTop = hasFolder(named) ? named : undefined;
      const folder = isPlain ? atTop : (atTop ?? folderCalled(named));
      if (folder !== undefined) return { folder, rest: question.replace(match[0], ' ').trim() };
    }
  }
  const named = pathsIn(question).find((each) => !each.includes('*') && hasFolder(each));
  if (named === undefined) return { rest: question };
  return { folder: named, rest: question.replace(named, ' ').trim() };
}

const filePath = String.raw`["'\x60]?((?:[\w.@+-]+/)*[\w@+.-]*\.[A-Za-z]\w{0,9})(?::\d+(?:[-–]\d+)?)?["'\x60]?`;
const inFile = new RegExp(
  `\\s(?:in|inside|within|of|from)\\s+(?:the\\s+file\\s+)?${filePath}(?:\\s*(?:,|and|or)\\s*${filePath.replace('((', '(?:(')})*(?=[\\s?!,]|\\.(?!\\w)|$)`,
  'iu',
);

/** The file that a question is to be true of: `who calls parse in src/a.py?`; others beside it are not read. */
export function fileIn(question: string): { file?: string; rest: string } {
  const [said, file] = question.length > longestQuestion ? [] : (inFile.exec(question) ?? []);
  if (said === undefined || file === undefined || !isFile(file)) return { rest: question };
  return { file: file.replace(/^\.\//, ''), rest: question.replace(said, '').trim() };
}

/** `list the examples`, where there is a folder of that name. */
export function listedFolder(
  question: string,
  hasFolder: (path: string) => boolean,
): string | undefined {
  const name =
    /^\s*(?:please\s+)?(?:list|show|show me|what are|which)\s+(?:all\s+)?(?:the\s+)?["'`]?([\w.@/-]+?)\/?["'`]?(?:\s+(?:folder|directory|are there|exist))?\s*[?.!]*$/i.exec(
      question,
    )?.[1];
  return name !== undefined && hasFolder(name) ? name : undefined;
}

const named = String.raw`["'\x60]?((?:[\w.@+-]+/)*[\w.@+-]+?)(/?)["'\x60]?`;
const aboutFolder = new RegExp(
  String.raw`^\s*(?:please\s+)?(?:what(?:'s|\s+(?:is|does|are|do))|explain|describe|summari[sz]e|tell me about|what is the purpose of)\s+(in\s+)?(?:the\s+)?${named}(?:\s+(folder|directory|dir|package|module|crate))?(?:\s+(do|does|contain|hold|have|for|about))?\s*[?.!]*$`,
  'i',
);

/** `what does internal/cache do?`, `explain the src folder`: a folder that a question asks about. */
export function askedFolder(
  question: string,
  { hasFolder, folderCalled }: Folders,
): string | undefined {
  const [, inside, name, slash, kind, verb] = aboutFolder.exec(question) ?? [];
  // `what is in src?` lists it, and a plain word is a folder where something says so.
  if (name === undefined || inside !== undefined) return undefined;
  const isSaid = kind !== undefined || verb !== undefined || slash === '/' || name.includes('/');
  if (!isSaid) return undefined;
  if (hasFolder(name)) return name;
  return kind === undefined ? undefined : folderCalled(name);
}
