import { readSymbol } from '../symbols/read-symbol.ts';
import type { CodeFile } from './code-file.ts';
import { definitionSpan, indentOf } from './definition-span.ts';

export type FunctionSize = {
  path: string;
  /** 1-based */
  line: number;
  endLine: number;
  name: string;
  /** lines with code, its head among them */
  lines: number;
  /** conditions, loops and the like around each other */
  nesting: number;
  /** McCabe: 1 and one for each way that branches off */
  cyclomatic: number;
};

const branchByBraces =
  /\b(?:if|for|foreach|while|until|case|catch|when|elif|elsif|rescue)\b|&&|\|\||\?\?(?!=)|\s\?\s/g;
const branchByIndent =
  /\b(?:if|elif|elsif|for|while|until|unless|except|rescue|case|when|and|or)\b|&&|\|\|/g;
/** Each arm of a `match` is a way. */
const arm = /=>/g;
const control =
  /\b(?:if|else|for|foreach|while|until|switch|try|catch|finally|do|match|loop|select|when|elif)\b/;
const controlLine =
  /^\s*(?:if|elif|else|for|while|try|except|finally|with|match|case|async\s+(?:for|with)|unless|until|begin|rescue)\b/;

/** A quick test that rules out most lines before the rules of a language are tried. */
const mayDefine =
  /^(?!\s*(?:return|if|for|while|switch|throw|await|import|case|else|elif|expect|raise|assert)\b)\s*[^\s})\].,*].*(?:[({]|=>)|^\s*(?:def|fun|fn|sub|macro)\b/;

/**
 * Limits for lines of nested functions: per line of a file, and at least for a short file. Each
 * function is read to its end, so thousands of unclosed ones would be read thousands of times.
 */
const maxInnerLines = { each: 3, file: 20_000 };

/** The functions of a file with what makes them hard to read; an inner one counts for the outer, too. */
export function measureFunctions(file: CodeFile): FunctionSize[] {
  const found: FunctionSize[] = [];
  /** last lines of the functions around a line, the outermost first */
  const around: number[] = [];
  let innerLines = file.lines.length * maxInnerLines.each + maxInnerLines.file;
  for (const [at, text] of file.lines.entries()) {
    while (around.length > 0 && (around.at(-1) as number) <= at) around.pop();
    if ((around.length > 0 && innerLines < 0) || !mayDefine.test(file.code[at] as string)) continue;
    const symbol = readSymbol({ path: file.path, line: at + 1, text });
    if (symbol?.kind !== 'function' && symbol?.kind !== 'method') continue;
    const span = definitionSpan(file, at + 1);
    if (around.length > 0) innerLines -= span.end - at;
    around.push(span.end);
    const code = file.code.slice(at, span.end);
    found.push({
      ...{ path: file.path, line: at + 1, endLine: span.end, name: symbol.name },
      lines: code.filter((line) => line.trim() !== '').length,
      nesting: file.family.blocks === 'indent' ? nestingByIndent(code) : nestingByBraces(code),
      cyclomatic: 1 + branches(file, code),
    });
  }
  return found;
}

function branches({ family, path }: CodeFile, code: readonly string[]): number {
  const text = code.join('\n');
  const expression = family.blocks === 'indent' ? branchByIndent : branchByBraces;
  const arms = path.endsWith('.rs') ? count(text, arm) : 0;
  // The condition behind a `do` block, and `else if`, are one way each: both hold one of the words.
  return count(text, expression) + Math.max(0, arms - count(text, /\bmatch\b/g));
}

function count(text: string, expression: RegExp): number {
  return text.match(expression)?.length ?? 0;
}

function nestingByBraces(code: readonly string[]): number {
  const stack: boolean[] = [];
  let controls = 0;
  let most = 0;
  const text = code.join('\n');
  let since = 0;
  for (const { 0: sign, index } of text.matchAll(/[{};]/g)) {
    if (sign === '{') {
      const isControl = since < index && control.test(text.slice(since, index));
      stack.push(isControl);
      if (isControl) controls += 1;
      most = Math.max(most, controls);
    } else if (sign === '}' && stack.pop() === true) controls -= 1;
    since = index + 1;
  }
  return most;
}

function nestingByIndent(code: readonly string[]): number {
  const open: number[] = [];
  let most = 0;
  for (const line of code) {
    if (line.trim() === '') continue;
    const indent = indentOf(line);
    while (open.length > 0 && indent <= (open.at(-1) as number)) open.pop();
    if (!controlLine.test(line)) continue;
    open.push(indent);
    most = Math.max(most, open.length);
  }
  return most;
}
