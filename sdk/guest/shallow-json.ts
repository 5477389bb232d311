/** Less than half of the levels at which the engine's stack ends, which nothing can catch. */
const maxLevels = 2000;

/**
 * `JSON.parse` that throws for what is nested too deep, as for anything else that it cannot read.
 * The engine's own has the whole instance trap.
 */
export function shallowJson(parse: typeof JSON.parse): typeof JSON.parse {
  return (text, reviver) => {
    const json = typeof text === 'string' ? text : String(text);
    // Looking for brackets takes the engine as long as to read as much JSON.
    if (json.length > maxLevels && mayBeDeep(json) && levelsOf(json) > maxLevels) {
      throw new SyntaxError(`JSON nested deeper than ${maxLevels} levels`);
    }
    return parse(json, reviver);
  };
}

/**
 * Whether a text opens that many brackets at all, which is much faster to find than their depth.
 */
function mayBeDeep(text: string): boolean {
  let left = maxLevels;
  for (const sign of '[{') {
    for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) {
      left -= 1;
      if (left < 0) return true;
    }
  }
  return false;
}

/** For text that is not JSON any number will do. */
function levelsOf(text: string): number {
  let levels = 0;
  let most = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"') at = endOfText(text, at);
    else if (sign === '[' || sign === '{') {
      levels += 1;
      if (levels > most) most = levels;
    } else if (sign === ']' || sign === '}') levels -= 1;
  }
  return most;
}

function endOfText(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at;
    while (text[before - 1] === '\\') before -= 1;
    if ((at - before) % 2 === 0) return at;
  }
  return text.length;
}
