/**
 * Expands `{a,b}` as shells and ripgrep do; gitignore itself has no such thing. A brace
 * without a comma or without its partner stands for itself, as does `\{`.
 *
 * @param limit how many globs may come out
 * @returns undefined when there would be more
 */
export function expandBraces(glob: string, limit: number): string[] | undefined {
  const pending = [glob];
  const done: string[] = [];
  while (pending.length > 0) {
    if (pending.length + done.length > limit) return undefined;
    const next = pending.pop()!;
    const group = findGroup(next);
    if (group === undefined) {
      done.push(next);
      continue;
    }
    const before = next.slice(0, group.start);
    const after = next.slice(group.end + 1);
    for (const choice of group.choices.toReversed()) pending.push(before + choice + after);
  }
  return done;
}

type Group = { start: number; end: number; choices: string[] };

/** The first group that has a comma at its own level. */
function findGroup(glob: string): Group | undefined {
  for (let start = glob.indexOf('{'); start >= 0; start = glob.indexOf('{', start + 1)) {
    if (glob[start - 1] === '\\') continue;
    const group = readGroup(glob, start);
    if (group !== undefined && group.choices.length > 1) return group;
  }
  return undefined;
}

function readGroup(glob: string, start: number): Group | undefined {
  const choices: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let at = start; at < glob.length; at += 1) {
    const character = glob[at];
    if (character === '\\') at += 1;
    else if (character === '{') depth += 1;
    else if (character === ',' && depth === 1) {
      choices.push(glob.slice(from, at));
      from = at + 1;
    } else if (character === '}') {
      depth -= 1;
      if (depth > 0) continue;
      choices.push(glob.slice(from, at));
      return { start, end: at, choices };
    }
  }
  return undefined;
}
