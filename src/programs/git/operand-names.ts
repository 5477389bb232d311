/** A name of gitrevisions(7), as an operand of git holds it. */
export type OperandName = {
  /** the whole name, for git to resolve */
  name: string;
  /**
   * of `REV:PATH`, `:PATH` and `REV^{tree}`: what stands before the path, which is empty for the
   * index, and the path as it is written; absent for a name without a path
   */
  inTree?: { before: string; path: string };
};

/**
 * The names that git may read an operand as: the operand itself, both ends of a range, and each
 * without what excludes it or takes its parents.
 */
export function operandNames(operand: string): OperandName[] {
  const at = operand.indexOf('..');
  const ends = at < 0 ? [] : [operand.slice(0, at), operand.slice(at + 2).replace(/^\./, '')];
  const names = [operand, ...ends].flatMap((each) => {
    const bare = each.replace(/^\^+/, '');
    return [bare, bare.replace(/\^(?:@|!|-\d*)$/, '')];
  });
  return [...new Set(names)].filter((name) => name !== '').map(splitName);
}

/**
 * What an argument may hold as the value of an option: behind `=`, and behind each of the letters
 * that options with and without a value are written together with.
 */
export function optionValues(arg: string): string[] {
  if (arg.startsWith('--')) return arg.includes('=') ? [arg.slice(arg.indexOf('=') + 1)] : [];
  const letters = /^-([a-zA-Z]+)/.exec(arg)?.[1]?.length ?? 0;
  return Array.from({ length: letters }, (_, at) => arg.slice(at + 2)).filter(
    (value) => value !== '',
  );
}

/** The colon in front of a path is the first one outside of braces, as git has it. */
function splitName(name: string): OperandName {
  const stage = /^:[0-3]:/.exec(name)?.[0];
  if (stage !== undefined) return { name, inTree: { before: '', path: name.slice(stage.length) } };
  if (name.startsWith(':/')) return { name };
  let depth = 0;
  for (let at = 0; at < name.length; at += 1) {
    const character = name.charAt(at);
    if (character === '{') depth += 1;
    else if (character === '}' && depth > 0) depth -= 1;
    else if (character === ':' && depth === 0)
      return { name, inTree: { before: name.slice(0, at), path: name.slice(at + 1) } };
  }
  const ofTree = /^(.+)\^\{tree\}$/.exec(name)?.[1];
  return ofTree === undefined ? { name } : { name, inTree: { before: ofTree, path: '' } };
}
