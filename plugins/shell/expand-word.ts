import { LineError } from './line-error.ts';
import type { LatePart, Pipeline } from './plan.ts';
import type { WordPart } from './read-tokens.ts';

/** A word after expansion. */
export type Field = {
  text: string;
  /** when it is a pattern: the same with `\` before literal characters */
  glob?: string;
  /** when it is known later only: its stretches; it may then be several words, or none */
  late?: LatePart[];
  /** why it stands as it was written and cannot be run: what it means lies outside */
  unknown?: string;
};

export type Variables = ReadonlyMap<string, string>;

/** A value that is known later. */
export type Later = {
  /** names of variables that get their value when the line runs */
  names: ReadonlySet<string>;
  /** the programs of a substitution */
  plan(line: string): Pipeline[];
};

/**
 * Fills in variables and splits what was not quoted, as a shell does. `~` and variables that have no
 * value here stay as they were written and are said to be unknown.
 *
 * @returns none for an unquoted variable that is empty
 * @throws {LineError} for braces
 */
export function expandWord(
  parts: readonly WordPart[],
  variables: Variables,
  later?: Later,
): Field[] {
  refuseBraces(parts);
  if (later !== undefined && parts.some((part) => isLate(part, later)))
    return [lateField(parts, variables, later)];
  let unknown = tildeProblem(parts);
  const fields: { text: string; glob: string; isGlob: boolean }[] = [];
  let open: { text: string; glob: string; isGlob: boolean } | undefined;
  const add = (text: string, quoted: boolean): void => {
    open ??= { text: '', glob: '', isGlob: false };
    open.text += text;
    const isGlob = !quoted && /[*?]|\[.+\]/.test(text);
    open.isGlob ||= isGlob;
    open.glob += quoted ? text.replace(/[\\*?[\]]/g, '\\$&') : text.replace(/\\/g, '\\\\');
  };
  const close = (): void => {
    if (open !== undefined) fields.push(open);
    open = undefined;
  };
  for (const part of parts) {
    if (part.kind === 'text') {
      add(part.text, part.quoted);
      continue;
    }
    if (part.kind === 'substitution') throw new LineError(`$(${part.line}) is not run here`);
    const value = variables.get(part.name);
    if (value === undefined) {
      unknown ??= noValue(part.name);
      add(`$${part.name}`, true);
      continue;
    }
    if (part.quoted) {
      add(value, true);
      continue;
    }
    for (const piece of value.split(/([ \t\n]+)/)) {
      if (/^[ \t\n]+$/.test(piece)) close();
      else if (piece !== '') add(piece, false);
    }
  }
  close();
  return fields.map(({ text, glob, isGlob }) => ({
    text,
    ...(isGlob ? { glob } : {}),
    ...(unknown === undefined ? {} : { unknown }),
  }));
}

function isLate(part: WordPart, { names }: Later): boolean {
  return part.kind === 'substitution' || (part.kind === 'variable' && names.has(part.name));
}

/** One field for now, written as it was. */
function lateField(parts: readonly WordPart[], variables: Variables, later: Later): Field {
  let unknown = tildeProblem(parts);
  let text = '';
  const late = parts.map((part): LatePart => {
    const { quoted } = part;
    if (part.kind === 'text') {
      text += part.text;
      return { text: part.text, quoted };
    }
    if (part.kind === 'substitution') {
      text += `$(${part.line})`;
      return { pipelines: later.plan(part.line), quoted };
    }
    text += `$${part.name}`;
    const value = variables.get(part.name);
    if (value === undefined && !later.names.has(part.name)) unknown ??= noValue(part.name);
    return { variable: part.name, quoted };
  });
  return { text, late, ...(unknown === undefined ? {} : { unknown }) };
}

function noValue(name: string): string {
  return `the variable ${name} has no value: only variables set here have one`;
}

function tildeProblem([first]: readonly WordPart[]): string | undefined {
  const isHome = first?.kind === 'text' && !first.quoted && first.text.startsWith('~');
  return isHome ? '~ is a home directory, and that is outside the workspace' : undefined;
}

/** `{a,b}` and `{1..3}`; `{}` and `{x}` mean themselves. */
function refuseBraces(parts: readonly WordPart[]): void {
  const plain = parts.map((part) => (part.kind === 'text' && !part.quoted ? part.text : '_'));
  const text = plain.join('');
  const inside = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  if (text.includes('{') && /,|\.\./.test(inside)) {
    throw new LineError('braces like {a,b} are not expanded: write the words out');
  }
}
