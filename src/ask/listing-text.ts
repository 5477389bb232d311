import type { Listed } from '../contracts/agent.ts';
import { counted } from '../lib/text/amounts.ts';
import { escapeLine } from '../lib/text/escape.ts';

type Shape = Record<string, unknown>;

const screenFiles = 20;
/** Names of one folder where there are many files. */
const namesOfFolder = 4;

/**
 * The result of a tool that is not lines of a file, as readable lines: a text of several lines
 * stays as it is, a list has a line for each item; undefined when there is nothing.
 *
 * @param content parsed, or the text itself where it is not JSON
 * @param raw the same as it came
 */
export function listingText(content: unknown, raw: string): string | undefined {
  if (typeof content === 'string') return content.trim() === '' ? undefined : content;
  if (typeof content !== 'object' || content === null) return raw;
  const shape = content as Shape;
  if (isState(shape)) return stateText(shape);
  if (isTree(shape)) return treeText(shape);
  if (isPage(shape)) return String(shape.text);
  if (isEmptyFile(shape)) return `${escapeLine(String(shape.path))} is empty`;
  const text = Object.values(shape).find(
    (value) => typeof value === 'string' && value.includes('\n'),
  );
  if (typeof text === 'string') return [...commitLines(shape.commit), text].join('\n');
  if (Array.isArray(shape.commits) && typeof shape.none === 'string') return escapeLine(shape.none);
  const { topic, ...rest } = shape;
  const list = Object.values(rest).find(Array.isArray) as unknown[] | undefined;
  if (list === undefined) return raw;
  // For git and sizes, an empty result is an answer. An empty search result shows nothing.
  if (list.length === 0)
    return (list === shape.commits && topic === undefined) || shape.kind === 'directory'
      ? 'none'
      : undefined;
  const files = list === shape.paths ? list.map((path) => ({ path, kind: 'file' })) : list;
  return [...commitLines(shape.commit), ...(byFolder(files) ?? list.map(listingLine))].join('\n');
}

/**
 * What a result is, for the head of an answer: `commits`, `a count of commits`, `files`. Goes by the
 * shape, as `listingText` does; undefined for one that is not known.
 */
export function listingKind(content: unknown): string | undefined {
  if (typeof content !== 'object' || content === null) return undefined;
  const shape = content as Shape;
  if (isState(shape)) return 'the state of the repository';
  if (isTree(shape)) return 'a tree of folders';
  if (isPage(shape)) return 'a page';
  if (isEmptyFile(shape)) return 'a file';
  if (typeof shape.patch === 'string') return shape.commit === undefined ? 'a diff' : 'a commit';
  if (Array.isArray(shape.commits))
    return typeof shape.total === 'number' ? 'a count of commits' : 'commits';
  const named = Object.keys(kindOfList).find((key) => Array.isArray(shape[key]));
  return named === undefined ? undefined : kindOfList[named];
}

/** Files and commits of a list that has a line for each, in their order; none of any other result. */
export function listedThings(content: unknown): Listed[] {
  const shape = (content ?? {}) as Shape;
  const list = (shape.commits ?? Object.values(shape).find(Array.isArray)) as unknown;
  if (!Array.isArray(list)) return [];
  const files = list === shape.paths ? list.map((path) => ({ path, kind: 'file' })) : list;
  if (byFolder(files) !== undefined) return [];
  return files.flatMap((item): Listed[] => {
    const { path, line, hash } = (item ?? {}) as Shape;
    if (typeof hash === 'string') return [{ path: '', commit: hash }];
    return typeof path === 'string' && line === undefined ? [{ path }] : [];
  });
}

/** By the name that the list has in the result of a built-in tool. */
const kindOfList: Readonly<Record<string, string>> = {
  branches: 'branches',
  tags: 'tags',
  authors: 'authors',
  todos: 'comments',
  symbols: 'definitions',
  functions: 'functions',
  paths: 'files',
  entries: 'files',
  files: 'files',
};

/** More files than a screen shows have a line for each folder, with the first names in it. */
function byFolder(list: readonly unknown[]): string[] | undefined {
  if (list.length <= screenFiles) return undefined;
  const paths = list.map((item) => (item as Shape | null)?.path);
  const isFiles = list.every((item) => (item as Shape | null)?.kind === 'file');
  if (!isFiles || !paths.every((path) => typeof path === 'string')) return undefined;
  const folders = Map.groupBy(paths, (path) => path.replace(/[^/]*$/, ''));
  if (folders.size === 1) return undefined;
  return [...folders].map(([folder, files]) => {
    const names = files.map((path) => path.slice(folder.length));
    const more = names.length > namesOfFolder ? ', …' : '';
    const shown = names.slice(0, namesOfFolder).join(', ');
    return escapeLine(`${folder || './'}  ${counted(files.length, 'file')}: ${shown}${more}`);
  });
}

function listingLine(item: unknown): string {
  if (typeof item === 'string') return item;
  if (typeof item !== 'object' || item === null) return String(item);
  const shape = item as Shape;
  if (typeof shape.hash === 'string') return commitLine(shape);
  const { author, lines, commits = lines } = shape;
  if (typeof author === 'string' && typeof commits === 'number')
    return `${String(commits).padStart(6)}  ${dayOf(shape.date)}  ${author}`;
  const { path, size, kind, ...rest } = shape;
  if (typeof path !== 'string') return JSON.stringify(item);
  const name = escapeLine(path);
  if (typeof rest.line === 'number' && typeof rest.text === 'string')
    return `${name}:${rest.line}  ${rest.text.trim()}`;
  if (typeof rest.line === 'number' && typeof rest.name === 'string') return placedLine(shape);
  if (typeof rest.added === 'number' && typeof rest.removed === 'number')
    return `${name}  +${rest.added} −${rest.removed}`;
  if (typeof size === 'number' && typeof rest.files === 'number')
    return `${name}/  ${sizeText(size)}  ${counted(rest.files, 'file')}`;
  if (typeof size === 'number' && kind !== 'directory') {
    const lines = typeof rest.lines === 'number' ? `  ${counted(rest.lines, 'line')}` : '';
    return `${name}  ${sizeText(size)}${lines}`;
  }
  return Object.keys(rest).length === 0 || kind !== undefined ? name : JSON.stringify(item);
}

/** `src/store.ts:12  open  lines 20, nesting 2`: what is known of one place. */
function placedLine({ path, line, endLine: _, name, ...rest }: Shape): string {
  const facts = Object.entries(rest)
    .filter(([, value]) => typeof value !== 'object')
    .map(([key, value]) => `${key} ${String(value)}`);
  return [`${escapeLine(String(path))}:${String(line)}`, String(name), facts.join(', ')]
    .join('  ')
    .trimEnd();
}

/** `0123456789  2026-11-22  Ann  What was done`; of a branch its name, `*` where it is in use. */
function commitLine({ hash, date, author, subject, name, current }: Shape): string {
  const branch = typeof name === 'string' ? [`${current === true ? '*' : ' '} ${name}`] : [];
  const who = typeof author === 'string' ? [author] : [];
  return [...branch, String(hash).slice(0, 10), dayOf(date), ...who, String(subject ?? '')].join(
    '  ',
  );
}

/** The head of one commit, before what it changed. */
function commitLines(commit: unknown): string[] {
  if (typeof commit !== 'object' || commit === null) return [];
  const shape = commit as Shape;
  if (typeof shape.hash !== 'string') return [];
  const body = typeof shape.body === 'string' ? ['', ...shape.body.split('\n')] : [];
  return [commitLine(shape), ...body, ''];
}

/** The state of a repository: entries that say where they differ, and a branch or a commit. */
function isState({ entries, branch, commit }: Shape): boolean {
  const isKnown = typeof branch === 'string' || typeof commit === 'string';
  return Array.isArray(entries) && isKnown;
}

function stateText({ entries, branch, upstream, ahead, behind }: Shape): string {
  const distance =
    typeof upstream === 'string'
      ? `, ${Number(ahead ?? 0)} ahead of ${upstream} and ${Number(behind ?? 0)} behind`
      : '';
  const head = typeof branch === 'string' ? `on branch ${branch}${distance}` : 'detached head';
  const lines = (entries as Shape[]).map(({ path, from, staged, unstaged }) => {
    const kinds = [
      ...(staged === undefined ? [] : [stagedText(staged)]),
      ...(unstaged === undefined ? [] : [String(unstaged)]),
    ];
    const was = typeof from === 'string' ? ` (was ${escapeLine(from)})` : '';
    return `${escapeLine(String(path))}${was}: ${kinds.join('; ')}`;
  });
  return [head, ...(lines.length === 0 ? ['nothing is changed'] : lines)].join('\n');
}

/** A conflict is not staged: git commits nothing until it is resolved. */
function stagedText(staged: unknown): string {
  return staged === 'unmerged' ? 'in conflict' : `${staged}, staged`;
}

/** A drawn tree, which may have one line or none. */
function isTree({ text, files, folders }: Shape): boolean {
  return typeof text === 'string' && typeof files === 'number' && typeof folders === 'number';
}

function treeText({ path, text, files, folders }: Shape): string {
  if (files !== 0 || folders !== 0) return String(text);
  const place = typeof path === 'string' && path !== '.' ? `the folder ${path}` : 'the folder';
  return `${place} is empty (hidden and ignored files are skipped)`;
}

/** A page of the web: paragraphs, each one long line. */
function isPage({ url, text }: Shape): boolean {
  return typeof url === 'string' && typeof text === 'string' && text !== '';
}

/** A file that was read and has no line. */
function isEmptyFile({ path, lines, totalLines }: Shape): boolean {
  return typeof path === 'string' && lines === '' && totalLines === 0;
}

function dayOf(date: unknown): string {
  return typeof date === 'string' ? date.slice(0, 10) : '';
}

function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} kB`;
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
