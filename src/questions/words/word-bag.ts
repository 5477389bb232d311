import { escapePattern } from '../../lib/text/escape.ts';
import { identifiersIn, pathsIn, stemWord, stopWords } from '../../lib/text/words.ts';
import { isFileExtension } from './file-kinds.ts';

/** A short question as a bag of words beside the things that it names. */
export type WordBag = {
  question: string;
  /** names of code, in order, each once; `sure` ones are written as only code is */
  names: readonly Name[];
  /** paths with an ending and no `*` */
  files: readonly string[];
  /** stems of the words that say something beside these */
  words: readonly string[];
  /** the same words as they are written, by stem */
  written: ReadonlyMap<string, string>;
  /** stems of all words, also of those that say little */
  all: ReadonlySet<string>;
};

export type Name = { name: string; isSure: boolean };

const longestQuestion = 200;
export const kindNouns =
  'class|struct|interface|trait|enum|type|function|method|constant|variable|def|fn|func|macro|decorator|hook|component|property|attribute|field|object|symbol|helper|exception|error';
const part = String.raw`[\p{L}_$][\p{L}\p{N}_$]*`;
const dotted = `${part}(?:(?:\\.|::|#)${part})*`;
/** `function parse`, `the Flask class`, `class called Store`. */
const byNoun = new RegExp(
  `\\b(?:${kindNouns})\\s+(?:(?:called|named)\\s+)?["'\`]?(${dotted})["'\`]?(?![\\p{L}\\p{N}-])|["'\`]?\\b(${dotted})["'\`]?\\s+(?:${kindNouns})\\b`,
  'gu',
);
const dottedName = new RegExp(`(?<![\\p{L}\\p{N}_$./@-])${part}(?:(?:\\.|::|#)${part})+`, 'gu');
/** With a capital inside of a sentence. */
const capital = /(?<=[\p{L}\p{N},`"')]\s+["'`]?)\p{Lu}[\p{L}\p{N}_$]*(?![\p{L}\p{N}_.-])/gu;
const alone = new RegExp(`^\\s*["'\`]?(${dotted})["'\`]?(?:\\(\\))?\\s*[?.!]*\\s*$`, 'u');
/** What is written with a capital and is seldom a name of code. */
const plainCapitals =
  /^(?:I|API|APIs|URLs?|HTTPS?|JSON|YAML|TOML|XML|HTML|CSS|SQL|CLI|CI|README|TODOs?|FIXMEs?|HACKs?|XXX|ID|OK|MSRV|LTS|SDK|JDK|English|Python|Go|Golang|Rust|Java|JavaScript|JS|TypeScript|TS|Node|NodeJS|Ruby|PHP|Kotlin|Swift|Elixir|Erlang|Scala|Docker|CMake|Git|GitHub|GitLab|Linux|Windows|Mac|macOS|Unix|Monday|January|March|May|June|July|August|September|October|November|December)$/;
/** They ask, and say nothing of what the question is about. */
const fillers = new Set(
  `please show tell give find list print open display view get see look read say name let many much must use want need can could will would should
  file place line source code class function method constant variable type struct interface trait enum macro def fn func decorator hook component property attribute field object symbol helper called named
  here exactly actually currently anywhere somewhere everything anything thing project repo repository monorepo codebase base package library workspace program application app module gem crate binary executable`
    .split(/\s+/)
    .map(stemWord),
);
/** `:12` behind the name of a file */
const placeOfLine = /(?<=\.[A-Za-z]\w{0,9}):\d+(?:[-–:]\d+)*/g;

/** @param own what the project is called, which stands for it */
export function readBag(asked: string, own: readonly string[]): WordBag | undefined {
  if (asked.length > longestQuestion || asked.includes('\n')) return undefined;
  const question = asked
    .replace(/[’‘]/g, "'")
    .replace(/\b(what|where|who|how|when|that|it|there)'s\b/gi, '$1 is');
  const plain: string[] = question.match(plainFiles) ?? [];
  const names = namesIn(question).filter(({ name }) => !plain.includes(name));
  const endings = pathsIn(question).filter(
    (path) => !path.includes('*') && !names.some(({ name }) => name === path) && isFile(path),
  );
  const files = [...new Set([...endings, ...plain])];
  const parts = names.flatMap(({ name }) =>
    question.includes(name) ? [name] : name.split('.').toReversed(),
  );
  const rest = [...parts, ...files, ...pathsIn(question)]
    .toSorted((one, other) => other.length - one.length)
    .reduce((text, each) => text.replaceAll(each, ' '), question.replace(placeOfLine, ' '));
  const words = rest.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}@/_.+#-]*/gu) ?? [];
  const written = new Map<string, string>();
  for (const word of words) {
    const bare = word.replace(/[.:/-]+$/, '');
    const at = rest.toLowerCase().indexOf(bare);
    written.set(stemWord(bare), rest.slice(at, at + bare.length));
  }
  const isNamed = [...written.values()].some((word) => own.includes(word));
  const all = new Set([...written.keys(), ...(isNamed ? ['project'] : [])]);
  const said = [...all].filter(
    (word) =>
      !isLittle(written.get(word)?.toLowerCase() ?? word) &&
      !fillers.has(word) &&
      !own.includes(written.get(word) ?? word),
  );
  return { question, names, files, words: said, written, all };
}

/** In front of a name that is written as any word: `who calls redirect?`, `where is parse defined?` */
const beforeName =
  /(?:^|\b(?:is|are|was|were|does|did|do|of|to|for|from|by|on|in|the (?:function|method|class)|calls?|calling|uses?|using|covers?|tests?|imports?|importing|requires?|extends?|inherits?|invokes?|implements?|wrote|changed|added|introduced|between|and|with|or|vs|versus|compare|find|show|explain|where|define|defines|declares?|holds?|contains?))\s*["'`]?$/i;
/** Participles end a question about something else: `where are modules searched and imported?` */
const participle =
  /(?:ed|ing)$|^(?:found|written|set|read|made|done|sent|built|thrown|held|kept|run|shown)$/i;
const ofDoing =
  /\b(?:calls?|calling|uses?|using|covers?|imports?|extends?|invokes?|implements?)\s+["'`]?$/i;
const mostWordsAround = 9;

/** Whether an unknown word of the bag can be a name: by its place, without an article before it, or as `the json module`. */
export function isBareWord(bag: WordBag, stem: string): boolean {
  const word = bag.written.get(stem) ?? stem;
  if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(word) || bag.all.size > mostWordsAround) return false;
  const at = bag.question.search(
    new RegExp(`(?<![\\p{L}\\p{N}-])${escapePattern(word)}(?![\\p{L}\\p{N}-])`, 'u'),
  );
  const [before, behind] = [bag.question.slice(0, at), bag.question.slice(at + word.length)];
  const isLast = /^[\s?.!]*$/.test(behind);
  const isModule = /^["'`]?\s+(?:module|package|library|crate)\b/i.test(behind);
  const start = isModule ? before.replace(/\bthe\s+(?=["'`]?$)/i, '') : before;
  // `who calls run?`: behind a verb there is no other one.
  const isDone = isLast && participle.test(word) && !ofDoing.test(before);
  return beforeName.test(start) && !isDone && !isJoined(start, word);
}

/** Conditions say what a question is about, as little as they look. */
function isLittle(word: string): boolean {
  return (
    stopWords.has(word) && !/^(?:if|after|before|without|while|during|until|because)$/.test(word)
  );
}

/** `the parse method of DefaultParser`, `method run in Task`: a member by its class. */
const behindClass = new RegExp(
  `\\b(\\p{Lu}[\\p{L}\\p{N}_$]*)(?:['’]s)?["'\`]?\\s+["'\`]?(${part})["'\`]?\\s+(?:method|function|property|field)\\b`,
  'u',
);
const member = new RegExp(
  `\\b(?:(${part})["'\`]?\\s+(?:method|function|property|field|member)|(?:method|function|property|field|member)\\s+["'\`]?(${part})["'\`]?)\\s+(?:of|in|on|from)\\s+(?:the\\s+)?(?:class\\s+|struct\\s+)?["'\`]?(\\p{Lu}[\\p{L}\\p{N}_$]*)["'\`]?`,
  'u',
);

/** `where is open of Store defined?` */
const memberOf = new RegExp(
  `^\\s*where\\s+is\\s+(?:the\\s+)?["'\`]?(${part})["'\`]?()\\s+(?:of|in)\\s+["'\`]?(\\p{Lu}[\\p{L}\\p{N}_$]*)["'\`]?\\s+(?:defined|declared|implemented)\\b`,
  'u',
);

function namesIn(question: string): Name[] {
  const [whole, before, behind, holder] = member.exec(question) ?? memberOf.exec(question) ?? [];
  const own = before ?? behind;
  const [, ofClass = '', inner = ''] = behindClass.exec(question) ?? [];
  if (isNameOfCode(ofClass) && !isPlain(inner))
    return [{ name: `${ofClass}.${inner}`, isSure: true }];
  if (whole !== undefined && own !== undefined && holder !== undefined && !isPlain(own))
    return [{ name: `${holder}.${own}`, isSure: true }];
  const bare = alone.exec(question)?.[1];
  if (bare !== undefined && isNameOfCode(bare) && !isFile(bare))
    return [{ name: bare, isSure: true }];
  const sure = [
    ...identifiersIn(question).filter((each) => !plainCapitals.test(each)),
    ...(question.match(dottedName) ?? []).filter((each) => !isFile(each)),
    ...(question.match(/(?<![\w-])--[a-z][\w-]+/g) ?? []),
  ];
  const modules = pathsIn(question).filter((path) => moduleName.test(path));
  const nouns = [...question.matchAll(byNoun)].flatMap(({ 1: behind, 2: before, index }) => {
    const name = behind ?? before ?? '';
    const isPart = before !== undefined && isJoined(question.slice(0, index), name);
    return isPlain(name) || isPart ? [] : [name];
  });
  const capitals = (question.match(capital) ?? []).filter((each) => !plainCapitals.test(each));
  const all = [
    ...sure.map((name) => ({ name, isSure: true })),
    ...[...modules, ...nouns, ...capitals].map((name) => ({ name, isSure: false })),
  ];
  const kept: Name[] = [];
  for (const each of all) {
    const isKnown = kept.some(
      ({ name }) => partsOf(name).includes(each.name) || name === each.name,
    );
    if (!isKnown) kept.push(each);
  }
  return kept
    .filter(
      ({ name }) =>
        !kept.some((other) => other.name !== name && partsOf(other.name).includes(name)),
    )
    .toSorted((one, other) => question.indexOf(one.name) - question.indexOf(other.name));
}

/** `@scope/name`, `github.com/spf13/pflag`: packages that are written as paths are. */
const moduleName = /^@[\w.-]+\/[\w.-]+$|^[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|in|dev|sh)\/\S+$/;

function partsOf(name: string): string[] {
  return name.split(/\.|::|#/);
}

/** A word that a sentence has anyway. */
function isPlain(name: string): boolean {
  const stem = stemWord(name.toLowerCase());
  return (
    stopWords.has(name.toLowerCase()) ||
    fillers.has(stem) ||
    (/^[a-z]+$/.test(name) && kindWords.has(stem))
  );
}

/** `the request context class` is called after all of its words: the last one alone is another thing. */
function isJoined(front: string, name: string): boolean {
  const word = /\b(?:the|an?)\s+([a-z]+)\s+$/.exec(front)?.[1];
  const isSaid = word !== undefined && !stopWords.has(word) && !fillers.has(stemWord(word));
  return isSaid && /^[a-z]+$/.test(name);
}

/** Words of the kinds themselves, which stand beside `function`, too: `which function calls X`. */
const kindWords = new Set(
  `define declare implement call use invoke reference change test import document work do return locate live exist print throw raise every most long longest largest biggest complex public private exported main`
    .split(' ')
    .map(stemWord),
);

/** It has a capital letter inside or a `_`, or joins two names. */
function isNameOfCode(word: string): boolean {
  return /\p{Ll}\p{Lu}|_|::|#|\p{Lu}\p{Ll}+\p{Lu}|^\p{Lu}\p{Ll}+\.\w|\w\.\w+\.|\(\)/u.test(word);
}

/** Files that go without an ending. */
const plainFiles =
  /(?<![\w./-])(?:(?:GNUm|[Mm])akefile|(?:Docker|Gem|Rake|Proc|Pip|Just|Jenkins|Vagrant|Brew)file|LICEN[CS]E|README|readme|CHANGELOG|CONTRIBUTING|CODEOWNERS|NOTICE|AUTHORS|INSTALL)(?![\w./-])/g;
const otherEndings =
  /^(?:rst|txt|cfg|ini|lock|env|conf|log|mod|sum|work|gradle|properties|bat|cmd|mk|in|adoc|ipynb|pdf|docx?|odt|rtf|xlsx?|ods|pptx?|epub|po|pot|example|template|tmpl|ejs|hbs|jinja2?|plist|pem|map|cmake|bazel|bzl|nix|d|snap|tap|diff|patch)$/i;

/** `Flask.run` is a name, and so is `app.run`: no file ends so. */
export function isFile(path: string): boolean {
  const ending = /[^/]\.(\w+)$/.exec(path)?.[1];
  if (ending === undefined) return path.startsWith('.');
  if (/^(?:README|CHANGELOG|LICEN[CS]E|CONTRIBUTING|Makefile|Dockerfile)\./.test(path)) return true;
  return path.includes('/') || isFileExtension(ending) || otherEndings.test(ending);
}

const typeNouns = 'class|struct|interface|trait|enum';

/** `a blueprint` is one of a class, as `the blueprint class` is, which is looked for in other spellings where there is none. */
export function asClass(name: string, question: string): string {
  const own = escapePattern(name);
  const isOne = new RegExp(
    `\\ban?\\s+${own}\\b|\\b${own}\\s+(?:${typeNouns})\\b|\\b(?:${typeNouns})\\s+${own}\\b`,
  ).test(question);
  return isOne ? `${name.charAt(0).toUpperCase()}${name.slice(1)}` : name;
}

/** `@scope/name`, `github.com/spf13/pflag`: it is imported, and defined elsewhere. */
export function isModule(name: string): boolean {
  return name.includes('/');
}
