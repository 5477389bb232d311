import type { fs } from '@cuervo/sdk';
import { isSourceAt } from '../passages/path-factor.ts';
import { findSymbols } from '../symbols/find-symbols.ts';
import { lastPart } from '../symbols/last-part.ts';
import { type FoundSymbol, readSymbol } from '../symbols/read-symbol.ts';
import type { SymbolKind } from '../symbols/symbol-rules.ts';
import type { CodeFile } from './code-file.ts';
import { codeReader } from './code-reader.ts';
import { definitionSpan, docAbove, indentOf } from './definition-span.ts';
import { findFields, findParameters } from './find-fields.ts';

/** Lines of one definition that are handed over. */
const maxLines = 400;
/** Definitions that are looked at for one name. */
const maxCandidates = 200;
/** Definitions that are found for one name. */
const maxFound = 10_000;
/** Lines of a comment above a definition that are handed over. */
const maxDocLines = 40;

export type Member = { name: string; line: number; signature: string };
export type Definition = {
  path: string;
  /** 1-based, with what decorates it */
  line: number;
  endLine: number;
  kind: SymbolKind;
  name: string;
  signature: string;
  /** the lines as they stand */
  text: string;
  /** the comment directly above, from its first line on */
  doc?: { line: number; text: string };
  /** of a class: what it is made from, as its head says */
  extends?: string[];
  methods?: Member[];
  /** how many lines of it are not in `text` */
  linesLeftOut?: number;
};

const isClass = (kind: SymbolKind): boolean =>
  ['class', 'struct', 'interface', 'trait', 'module', 'enum'].includes(kind);

/**
 * What a name stands for: each definition of exactly this name with its whole text. Where there is
 * none, fields of types that are called so, or else what is said of parameters.
 *
 * @param name `retry`, `Store.open` for a member of that class, `strings.Split` for one of a package
 * @throws {RangeError} for an invalid name
 */
export function findDefinitions(
  host: Pick<typeof fs, 'scan' | 'unsearched' | 'readText' | 'readAnyText'>,
  wish: { name: string; place: string; limit: number },
): { definitions: Definition[]; total: number } {
  const found = findSymbols(host, { ...wish, isWhole: true, limit: maxFound });
  const own = lastPart(wish.name);
  const holder = holderOf(wish.name);
  const isOfPlace = ({ path }: FoundSymbol): boolean =>
    holder !== undefined && isPart(path, holder);
  // People write a name in their own way: `blueprint` for a class, `parse_config`.
  const alike = found.symbols
    .filter(({ name }) => plain(name) === plain(own))
    .toSorted((one, other) => Number(isOfPlace(other)) - Number(isOfPlace(one)))
    .slice(0, maxCandidates);
  const files = new Map<string, CodeFile | undefined>();
  const reader = codeReader(host);
  const read = (path: string): CodeFile | undefined => {
    if (!files.has(path)) files.set(path, reader.readFound(path));
    return files.get(path);
  };
  const defined = alike.filter((symbol) => isCode(symbol, read(symbol.path)));
  // A field of a type with this name is a better answer than a definition in a test.
  const fields = defined.some(isOwn)
    ? []
    : findFields(host, { name: own, place: wish.place }, read);
  const code = fields.length > 0 ? fields : defined;
  const spelled = asWritten(code, own);
  const owned =
    holder === undefined
      ? []
      : spelled.filter((symbol) => isOfPlace(symbol) || isIn(symbol, holder, read(symbol.path)));
  // If no definition is in the named class, show the ones without it.
  const isForm = (symbol: FoundSymbol) => isSignature(symbol, read(symbol.path));
  const chosen = bestFirst(owned.length > 0 ? owned : spelled, isForm);
  if (chosen.length === 0) return described(host, { name: own, place: wish.place }, wish.limit);
  return {
    definitions: chosen.slice(0, wish.limit).map((each) => define(each, read(each.path))),
    total: chosen.length,
  };
}

/** What comments say of a parameter: nothing else of that name is defined. */
function described(
  host: Parameters<typeof findParameters>[0],
  wish: { name: string; place: string },
  limit: number,
): { definitions: Definition[]; total: number } {
  const found = findParameters(host, wish);
  const definitions = found.slice(0, limit).map(
    ({ path, line, lines }): Definition => ({
      ...{ path, line, endLine: line + lines.length - 1, kind: 'constant', name: wish.name },
      signature: lines[0]?.trim() ?? '',
      text: lines.join('\n'),
    }),
  );
  return { definitions, total: found.length };
}

/** A name in another spelling is only taken where nothing in the sources has it as it is written. */
function asWritten(symbols: readonly FoundSymbol[], own: string): readonly FoundSymbol[] {
  const same = symbols.filter(({ name }) => name === own);
  const chosen = same.some(isOwn) || !symbols.some(isOwn) ? same : symbols;
  return chosen.length > 0 ? chosen : symbols;
}

/**
 * Sources before their built copies and tests, classes before functions before the rest, and what
 * stands at the edge of its file, as others take it from there.
 *
 * @param isForm whether it says only how something is called, and stands behind what does it
 */
function bestFirst(
  symbols: readonly FoundSymbol[],
  isForm: (symbol: FoundSymbol) => boolean,
): FoundSymbol[] {
  const rank = (symbol: FoundSymbol): number => {
    const { kind, text } = symbol;
    const isDeclared = isForm(symbol);
    const ofKind = isClass(kind) ? 0 : ['function', 'method', 'macro'].includes(kind) ? 1 : 2;
    return (isOwn(symbol) ? 0 : 16) + (/^\s/.test(text) ? 4 : 0) + (isDeclared ? 2 : 0) + ofKind;
  };
  return symbols.toSorted((one, other) => rank(one) - rank(other));
}

/**
 * A declaration without a body, what is added to a type that is defined elsewhere, or one of several
 * forms of a function, as `@overload` marks them.
 */
function isSignature({ kind, text, line, path }: FoundSymbol, file?: CodeFile): boolean {
  if (/\.(?:pyi|pxd)$/.test(path)) return true;
  if (kind === 'class') return /^\s*(?:\w+\s+)*extension\s+\w/.test(text);
  if (kind !== 'function' && kind !== 'method' && kind !== 'module') return false;
  const above = file?.lines[line - 2] ?? '';
  return (
    /^\s*(?:export\s+)?declare\b|^\s*(?:defdelegate|@(?:macro)?callback)\b|;\s*$|:\s*\.\.\.\s*$/.test(
      text,
    ) || /^\s*@(?:\w+\.)?overload\s*$/.test(above)
  );
}

function isOwn({ path }: FoundSymbol): boolean {
  return isSourceAt(path);
}

/** Whether the file or its folder is called so: packages and modules are named after them. */
function isPart(path: string, name: string): boolean {
  const [file = '', folder] = path.split(/[/:]/).toReversed();
  return folder === name || file.replace(/\.\w+$/, '') === name;
}

/** Not a line of a comment or a text that looks like a definition. */
function isCode({ line, name }: FoundSymbol, file: CodeFile | undefined): boolean {
  return file === undefined || file.codeLine(line)?.includes(name) === true;
}

function plain(name: string): string {
  return name.replace(/[_$-]/g, '').toLowerCase();
}

function define(symbol: FoundSymbol, file: CodeFile | undefined): Definition {
  const { path, line, kind, name, text } = symbol;
  if (file === undefined)
    return { path, line, endLine: line, kind, name, signature: text.trim(), text };
  const span = definitionSpan(file, line);
  const lines = file.lines.slice(span.start - 1, span.end);
  const left = lines.length - maxLines;
  const doc = docAbove(file, span.start, maxDocLines);
  const heads = isClass(kind) ? parentsOf(span.signature) : [];
  return {
    ...{ path, line: span.start, endLine: span.end, kind, name, signature: span.signature },
    text: lines.slice(0, maxLines).join('\n'),
    ...(doc === undefined ? {} : { doc }),
    ...(heads.length === 0 ? {} : { extends: heads }),
    ...(isClass(kind) ? { methods: membersOf(file, line, span, kind) } : {}),
    ...(left > 0 ? { linesLeftOut: left } : {}),
  };
}

/** `close?(reason: string): void`, `Close() error`, `void close() throws E;`: an interface has no bodies. */
const declared = /^\s*(?:[\w<>[\],.? ]+\s)?([\w$]+)\??\s*(?:<[^(]*>)?\(/;

/** Functions that stand directly in a class, and what an interface declares. */
export function membersOf(
  file: CodeFile,
  line: number,
  span: { body: number; end: number },
  kind: SymbolKind = 'class',
): Member[] {
  const members: Member[] = [];
  let indent: number | undefined;
  for (let at = Math.max(span.body, line + 1); at <= span.end; at += 1) {
    const code = file.code[at - 1] as string;
    if (code.trim() === '' || /^\s*[{}]/.test(code)) continue;
    indent ??= indentOf(code);
    if (indentOf(code) !== indent) continue;
    const symbol = readSymbol({ path: file.path, line: at, text: file.lines[at - 1] as string });
    const isMember = symbol !== undefined && ['method', 'function'].includes(symbol.kind);
    const own = kind === 'interface' ? declared.exec(code)?.[1] : undefined;
    const name = isMember ? symbol.name : own;
    if (name === undefined) continue;
    const { signature, end } = definitionSpan(file, at);
    members.push({ name, line: at, signature });
    at = Math.max(at, end);
  }
  return members;
}

/** `class A extends B implements C, D`, `class A(B, C)`, `class A : public B`, `class A < B`. */
function parentsOf(signature: string): string[] {
  const list =
    /\b(?:extends|implements)\s+(.*)$/.exec(signature)?.[1] ??
    /^(?:\s*@\S+\s+)*\s*class\s+\w+\s*\(([^)]*)\)/.exec(signature)?.[1] ??
    /\b(?:class|struct|interface|trait|protocol|extension|object)\s+\w[^:<]*(?:<[^>]*>)?[^:<]*\s:\s*(?!:)(.*)$/.exec(
      signature,
    )?.[1] ??
    /\bclass\s+\w+\s*<\s*([\w:]+)$/.exec(signature)?.[1];
  if (list === undefined) return [];
  return splitList(list.replace(/\b(?:implements|extends|with)\b/g, ','))
    .map((each) => each.replace(/\b(?:public|private|protected|virtual)\b/g, '').trim())
    .filter((each) => each !== '' && !each.includes('='));
}

/** At commas that stand in no brackets. */
function splitList(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = '';
  for (const sign of text) {
    if ('<([{'.includes(sign)) depth += 1;
    if ('>)]}'.includes(sign)) depth -= 1;
    if (sign === ',' && depth === 0) {
      parts.push(part);
      part = '';
    } else part += sign;
  }
  return [...parts, part];
}

/** `Store` of `Store.open`. */
function holderOf(name: string): string | undefined {
  return /([\p{L}\p{N}_$]+)(?:\.|::|#|->)[^.:#]+$/u.exec(name.trim().replace(/\(.*$/s, ''))?.[1];
}

/** Whether the name in front stands in the definition's own head, or its block is around it. */
function isIn(symbol: FoundSymbol, holder: string, file: CodeFile | undefined): boolean {
  if (new RegExp(`(?<![\\w$])${holder.replace(/\$/g, '\\$&')}(?![\\w$])`).test(symbol.text))
    return true;
  if (file === undefined) return false;
  for (let line = symbol.line - 1; line >= 1; line -= 1) {
    const text = file.lines[line - 1] as string;
    if (!text.includes(holder)) continue;
    const around = readSymbol({ path: file.path, line, text });
    const names = around?.name === holder || new RegExp(`^\\s*impl\\b.*\\b${holder}\\b`).test(text);
    if (names && definitionSpan(file, line).end >= symbol.line) return true;
  }
  return false;
}
