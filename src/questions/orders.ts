import { shellWord } from '../lib/text/escape.ts';

const start = String.raw`^\s*(?:please\s+)?(?:(?:can|could|would) you\s+(?:please\s+)?)?`;
const path = String.raw`["'\x60]?([\w./@-]+\.\w+|[\w.@-]+/[\w./@-]*)["'\x60]?`;
const form = (words: string) => new RegExp(`${start}${words}\\s*[.!]*$`, 'i');

/** What is to be done, and the command that does it; commits are told in the same words, with a capital. */
const orders: readonly (readonly [RegExp, (...named: string[]) => string])[] = [
  [
    form('run (?:(?:all|the|my|our) )*(?:unit )?tests?(?: suite)?'),
    () => 'cuervo run shell.run-tests',
  ],
  [
    form('commit (?:(?:all|my|the|these|this|our) )*(?:changes?|work|files?|it|this|everything)'),
    () => 'cuervo run git.commit message=…',
  ],
  [
    form('push(?: (?:my|the|these) (?:changes|commits|branch)| it| this)?'),
    () => 'cuervo run git.push',
  ],
  [
    form(String.raw`replace (?:all )?(\S+) (?:with|by) (\S+?)(?: in ${path})?`),
    (old = '', by = '', file) =>
      `cuervo run file.edit ${[`path=${file ?? '…'}`, `old=${old}`, `new=${by}`].map(word).join(' ')}`,
  ],
  [
    form(`(?:rename|move) (?:the )?(?:file |folder )?${path} (?:to|as|into) ${path}`),
    (from = '', to = '') => `cuervo run file.move ${word(`from=${from}`)} ${word(`to=${to}`)}`,
  ],
  [
    form(`(?:delete|remove) (?:the )?(?:(?:file |folder )?${path}|([\\w./@-]+) (?:folder|file))`),
    (file, named = '') => `cuervo run file.delete ${word(`path=${file ?? named}`)}`,
  ],
];

const word = (text: string): string => (text.includes('…') ? text : shellWord(text));

/** @returns the command for what a person orders, and no question; undefined for all else */
export function commandFor(text: string): string | undefined {
  for (const [words, command] of orders) {
    const found = words.exec(text);
    if (found !== null) return command(...found.slice(1));
  }
  return undefined;
}
