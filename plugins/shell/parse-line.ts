import { expandWord, type Field, type Later } from './expand-word.ts';
import { LineError } from './line-error.ts';
import type { LatePart, Pipeline, Plan, PlannedCommand, Redirect } from './plan.ts';
import { type Operator, readTokens, type Token } from './read-tokens.ts';
import { builtinProblem, refuseWord } from './refuse-word.ts';
import { resolveFolder } from './resolve-folder.ts';

export type LineState = {
  variables: ReadonlyMap<string, string>;
  /** folder below the workspace, empty for the workspace itself */
  cwd: string;
};

/** Substitutions in each other. */
const maxDepth = 8;
/** Programs of one line. */
const maxCommands = 100;
const maxWords = 2000;

const reasons: Partial<Record<Operator, string>> = {
  '&': 'the background & is not supported: a program ends with the call that started it',
  '<(': 'process substitution <(…) is not run',
  '>(': 'process substitution >(…) is not run',
  '(': 'a subshell or function ( is not supported',
  ')': 'a ) has no (',
  ';;': ';; belongs to case, and control structures are not supported',
  ';&': ';& belongs to case, and control structures are not supported',
  '|&': '|& is not supported: write 2>&1 |',
  '<&': '<& is not supported',
  '<>': '<> is not supported',
};

/**
 * A line as a plan of programs with their arguments; nothing of it runs.
 *
 * @param state what earlier lines left
 * @returns the plan, and the state after a line whose every part ran, without late variables
 * @throws {LineError} for a line with a part that is not understood
 */
export function parseLine(line: string, state: LineState): Plan & { after: LineState } {
  const parser = createParser(readTokens(line), state);
  const pipelines = parser.line();
  return { pipelines, after: parser.state() };
}

function createParser(
  tokens: readonly Token[],
  start: LineState,
  lateBefore: ReadonlySet<string> = new Set(),
  depth = 0,
) {
  const variables = new Map(start.variables);
  /** variables whose value is what a program of this line prints */
  const names = new Set(lateBefore);
  let { cwd } = start;
  let at = 0;
  let commands = 0;
  let words = 0;
  /** a `cd` that may not have run: what follows has to depend on it */
  let unsureCd = false;

  const operator = (): Operator | undefined => {
    const token = tokens[at];
    return token?.kind === 'operator' ? token.text : undefined;
  };
  /** A line of its own: what it sets or enters is gone with it. */
  const later: Later = {
    names,
    plan: (line) => {
      if (depth >= maxDepth)
        throw new LineError(`more than ${maxDepth} substitutions in each other`);
      const pipelines = createParser(readTokens(line), { variables, cwd }, names, depth + 1).line();
      if (pipelines.length === 0) throw new LineError('a substitution $() has no command');
      return pipelines;
    },
  };
  const refuse = (text: Operator): LineError =>
    new LineError(reasons[text] ?? `${text === '\n' ? 'a new line' : text} is in the wrong place`);

  function line(): Pipeline[] {
    const pipelines: Pipeline[] = [];
    let when: Pipeline['when'] = 'always';
    for (;;) {
      while (operator() === '\n') at += 1;
      if (at >= tokens.length) break;
      pipelines.push(pipeline(when));
      const next = operator();
      if (next === undefined) break;
      if (next === '&&' || next === '||') {
        at += 1;
        while (operator() === '\n') at += 1;
        if (at >= tokens.length) throw new LineError(`nothing follows ${next}`);
        when = next === '&&' ? 'success' : 'failure';
      } else if (next === ';' || next === '\n') {
        at += 1;
        when = 'always';
      } else throw refuse(next);
    }
    return pipelines;
  }

  function pipeline(when: Pipeline['when']): Pipeline {
    if (unsureCd && when !== 'success') {
      throw new LineError('after && cd FOLDER only && may follow: otherwise the folder is unknown');
    }
    const list = [command()];
    while (operator() === '|') {
      at += 1;
      while (operator() === '\n') at += 1;
      list.push(command());
    }
    const [first] = list;
    const alone = list.find(({ kind }) => kind !== 'program');
    if (alone !== undefined && list.length > 1) {
      throw new LineError(`${nameOf(alone)} in a pipe has no effect on what follows`);
    }
    if (alone?.kind === 'set' && when !== 'always') {
      throw new LineError('the value of a variable that is set after && or || is not certain');
    }
    if (alone?.kind === 'cd' && when === 'failure') {
      throw new LineError('cd after || leaves the folder unknown');
    }
    if (first?.kind === 'set') {
      for (const [name, value] of Object.entries(first.variables)) {
        variables.set(name, value);
        names.delete(name);
      }
      for (const { name } of first.late ?? []) names.add(name);
    }
    if (first?.kind === 'cd') {
      cwd = first.folder;
      unsureCd ||= when !== 'always';
    }
    return { when, commands: list };
  }

  function command(): PlannedCommand {
    commands += 1;
    if (commands > maxCommands) throw new LineError(`more than ${maxCommands} commands in a line`);
    const fields: Field[] = [];
    const set = new Map<string, string>();
    const late: { name: string; parts: LatePart[] }[] = [];
    const redirects: Redirect[] = [];
    for (;;) {
      const token = tokens[at];
      if (token === undefined) break;
      if (token.kind === 'operator') {
        if (!/[<>]/.test(token.text)) break;
        at += 1;
        redirects.push(redirect(token.text, token.fd));
        continue;
      }
      at += 1;
      if (fields.length === 0) {
        const assigned = assignment(token, new Map([...variables, ...set]), later);
        if (assigned !== undefined) {
          if (typeof assigned.value === 'string') set.set(assigned.name, assigned.value);
          else late.push({ name: assigned.name, parts: assigned.value });
          continue;
        }
        refuseWord(token.raw);
      }
      if (/^!(?:!|\$|\^|\*)/.test(token.raw)) {
        throw new LineError(`there is no history for ${token.raw}`);
      }
      fields.push(...expandWord(token.parts, variables, later));
      words += 1;
      if (words > maxWords || fields.length > maxWords) {
        throw new LineError(`more than ${maxWords} words in a line`);
      }
    }
    return finish(fields, set, late, redirects);
  }

  function finish(
    fields: readonly Field[],
    set: ReadonlyMap<string, string>,
    late: { name: string; parts: LatePart[] }[],
    redirects: Redirect[],
  ): PlannedCommand {
    const [program, ...args] = fields;
    if (program === undefined) {
      if (redirects.length > 0) throw new LineError('a redirection has no program');
      if (set.size + late.length === 0) throw missing();
      const variables = Object.fromEntries(set);
      return { kind: 'set', variables, ...(late.length === 0 ? {} : { late }) };
    }
    const [name] = [...set.keys(), ...late.map((each) => each.name)];
    if (name !== undefined) {
      throw new LineError(
        `${name}=… before a program sets its environment, which is not supported`,
      );
    }
    if (program.late !== undefined) {
      throw new LineError(
        `the name of a program cannot be what ${program.text} prints: run that first, and then the program by its name`,
      );
    }
    if (program.glob !== undefined) {
      throw new LineError('a pattern takes the place of a program');
    }
    refuseWord(program.text);
    if (program.text === 'cd') return changeFolder(args, redirects, cwd);
    const unknown =
      fields.find((field) => field.unknown !== undefined)?.unknown ?? builtinProblem(program.text);
    return {
      kind: 'program',
      program: program.text,
      args: args.map(({ text }) => text),
      cwd,
      patterns: args.flatMap(({ glob }, arg) => (glob === undefined ? [] : [{ arg, glob }])),
      redirects,
      ...lateOf(args),
      ...(unknown === undefined ? {} : { unknown }),
    };
  }

  function missing(): LineError {
    const next = operator();
    if (next !== undefined) return refuse(next);
    return new LineError('nothing follows the last operator');
  }

  function redirect(text: Operator, fd: number | undefined): Redirect {
    const token = tokens[at];
    if (reasons[text] !== undefined) throw refuse(text);
    if (token?.kind !== 'word') throw new LineError(`no file follows ${text}`);
    at += 1;
    if (text === '<<' || text === '<<-' || text === '<<<') return given(text, fd, token);
    const fields = expandWord(token.parts, variables, later);
    const [target] = fields;
    if (target === undefined || fields.length > 1 || target.glob !== undefined) {
      throw new LineError(`exactly one file has to follow ${text}`);
    }
    refuseUnknown(target);
    if (target.text === '') throw new LineError(`the file after ${text} has no name`);
    if (text === '<') {
      if (fd !== undefined && fd !== 0) throw new LineError(`${fd}< is not supported`);
      return { from: target.text, fd: 0 };
    }
    if (text === '&>' || text === '&>>') {
      return { to: target.text, append: text === '&>>', fd: 'both' };
    }
    const out = fd ?? 1;
    if (out !== 1 && out !== 2)
      throw new LineError(`${out}${text} is not supported: only 1 and 2 are`);
    if (text !== '>&') return { to: target.text, append: text === '>>', fd: out };
    if (target.text !== '1' && target.text !== '2') {
      throw new LineError(`>&${target.text} is not supported: only >&1 and >&2 are`);
    }
    return { fd: out, like: target.text === '1' ? 1 : 2 };
  }

  /** Text of the line itself, which no shell splits. */
  function given(
    text: Operator,
    fd: number | undefined,
    { parts }: Extract<Token, { kind: 'word' }>,
  ): Redirect {
    if (fd !== undefined && fd !== 0) throw new LineError(`${fd}${text} is not supported`);
    for (const field of expandWord(parts, variables, later)) refuseUnknown(field);
    const [field] = expandWord(
      parts.map((part) => ({ ...part, quoted: true })),
      variables,
    );
    return { text: `${field?.text ?? ''}${text === '<<<' ? '\n' : ''}`, fd: 0 };
  }

  return { line, state: (): LineState => ({ variables, cwd }) };
}

function lateOf(args: readonly Field[]): { late?: { arg: number; parts: LatePart[] }[] } {
  const late = args.flatMap((field, arg) =>
    field.late === undefined ? [] : [{ arg, parts: field.late }],
  );
  return late.length === 0 ? {} : { late };
}

/** The target of an assignment, `cd` or redirection must be known at once. */
function refuseUnknown(field: Field | undefined): void {
  if (field?.unknown !== undefined) throw new LineError(field.unknown);
  if (field?.late === undefined) return;
  throw new LineError(
    `${field.text} is known only when the line runs, and can be an argument or a variable here: run it by itself first, and write what it prints`,
  );
}

function nameOf(command: PlannedCommand): string {
  return command.kind === 'cd' ? 'cd' : 'setting a variable';
}

function assignment(
  { parts }: Extract<Token, { kind: 'word' }>,
  known: ReadonlyMap<string, string>,
  later: Later,
): { name: string; value: string | LatePart[] } | undefined {
  const [first, ...others] = parts;
  if (first?.kind !== 'text' || first.quoted) return undefined;
  const head = /^([A-Za-z_][A-Za-z0-9_]*)(\[[^\]]*\])?(\+)?=/.exec(first.text);
  const name = head?.[1];
  if (head === null || name === undefined) return undefined;
  if (head[2] !== undefined || head[3] !== undefined) {
    throw new LineError(`${head[0]} is not supported: only NAME=value sets a variable`);
  }
  const rest = { ...first, text: first.text.slice(head[0].length) };
  // Nothing is split in an assignment: what it holds counts as quoted.
  const value = [rest, ...others].map((part) => ({ ...part, quoted: true }));
  if (/(?:^|:)~/.test(rest.text)) refuseUnknown(expandWord([{ ...rest, text: '~' }], known)[0]);
  const [field] = expandWord(value, known, later);
  if (field?.late === undefined || field.unknown !== undefined) refuseUnknown(field);
  return { name, value: field?.late ?? field?.text ?? '' };
}

function changeFolder(
  args: readonly Field[],
  redirects: readonly Redirect[],
  cwd: string,
): PlannedCommand {
  if (redirects.length > 0) throw new LineError('cd takes no redirection');
  const [folder, extra] = args;
  if (extra !== undefined) throw new LineError('cd takes one folder');
  if (folder?.glob !== undefined) throw new LineError('cd takes a folder, not a pattern');
  refuseUnknown(folder);
  return { kind: 'cd', folder: resolveFolder(cwd, folder?.text ?? '') };
}
