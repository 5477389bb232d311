import type { CodeFamily } from './code-family.ts';

/** Behind these a `/` begins a regular expression; behind anything else it divides. */
const beforeRegex =
  /(?:^|[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|do|else|in|of|void|throw|await|yield))\s*$/;
/** As far back as `beforeRegex` looks. */
const lookBack = 40;

const texts: Readonly<Record<string, RegExp>> = {
  '"': /"(?:[^"\\\n]|\\[\s\S])*"?/y,
  "'": /'(?:[^'\\\n]|\\[\s\S])*'?/y,
};
const character = /'(?:\\[^\n][^'\n]*|[^\\'\n])'/y;
/** Up to its closing backquote or the next `${`. */
const template = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{|$)/y;
const regularExpression = /\/(?![*/])(?:[^\\/[\n]|\\[^\n]|\[(?:[^\\\]\n]|\\[^\n])*\])+\//y;

/**
 * The same text with comments and texts blanked out: every sign that is not code becomes a
 * space, line ends stay, so that lines and columns are those of the original.
 */
export function maskCode(text: string, family: CodeFamily): string {
  const starts = startsOf(family);
  /** for each `${` that is open, the braces open inside it */
  const templates: number[] = [];
  const parts: string[] = [];
  let done = 0;
  let noRegexUntil = 0;
  const blankUntil = (from: number, to: number): void => {
    parts.push(text.slice(done, from), text.slice(from, to).replace(/[^\n]/g, ' '));
    done = to;
  };
  const openTemplate = (from: number): number => {
    const end = from + (matchAt(template, text, from)?.length ?? 0);
    if (text[end - 1] === '{') templates.push(0);
    return end;
  };
  starts.lastIndex = 0;
  for (let found = starts.exec(text); found !== null; found = starts.exec(text)) {
    const at = found.index;
    const open = templates.at(-1);
    let end = at;
    if (found[0] === '{' || found[0] === '}') {
      if (open === undefined) continue;
      if (found[0] === '{') templates[templates.length - 1] = open + 1;
      else if (open > 0) templates[templates.length - 1] = open - 1;
      else {
        templates.pop();
        end = openTemplate(at + 1);
      }
    } else if (found[0] === '`' && family.templates === true) end = openTemplate(at + 1);
    else if (found[0] === '/') {
      if (at < noRegexUntil) continue;
      const regex = regexAt(text, at);
      // A slash whose line does not close it begins no regex, nor does any after it.
      if (regex === 'open') noRegexUntil = endOfLine(text, at);
      else end = at + regex.length;
    } else end = endOfNoCode(text, at, found[0], family);
    if (end > at) blankUntil(at, end);
    starts.lastIndex = Math.max(end, at + 1);
  }
  return parts.join('') + text.slice(done);
}

const startsOfFamily = new Map<CodeFamily, RegExp>();

/** What may begin something that is not code, the longest first. */
function startsOf(family: CodeFamily): RegExp {
  const known = startsOfFamily.get(family);
  if (known !== undefined) return known;
  const signs = [
    ...family.long,
    ...family.block.map(([open]) => open),
    ...family.line,
    ...family.quotes,
    ...(family.templates === true ? ['`', '{', '}'] : []),
    ...(family.regexes === true ? ['/'] : []),
  ];
  const made = new RegExp(signs.map((sign) => sign.replace(/[{}[\]/*`]/g, '\\$&')).join('|'), 'g');
  startsOfFamily.set(family, made);
  return made;
}

/** The regular expression that begins here: empty for a division, `open` where it does not end. */
function regexAt(text: string, at: number): string {
  if (!beforeRegex.test(text.slice(Math.max(0, at - lookBack), at))) return '';
  return matchAt(regularExpression, text, at) ?? 'open';
}

/** Where the comment or text that begins here ends; `at` where it turns out to be code. */
function endOfNoCode(text: string, at: number, sign: string, family: CodeFamily): number {
  const block = family.block.find(([open]) => open === sign);
  if (block !== undefined) return endBehind(text, block[1], at + sign.length);
  if (family.line.includes(sign)) {
    // In a shell `$#` and `a#b` hold no comment.
    const isWord = sign === '#' && at > 0 && /[^\s;([{,]/.test(text[at - 1] as string);
    return isWord ? at : endOfLine(text, at);
  }
  if (family.long.includes(sign)) return endBehind(text, sign, at + sign.length);
  const isLone = sign === "'" && family.loneQuote === true;
  const expression = isLone ? character : (texts[sign] as RegExp);
  return at + (matchAt(expression, text, at)?.length ?? 0);
}

function matchAt(sticky: RegExp, text: string, at: number): string | undefined {
  sticky.lastIndex = at;
  return sticky.exec(text)?.[0];
}

function endBehind(text: string, close: string, from: number): number {
  const at = text.indexOf(close, from);
  return at < 0 ? text.length : at + close.length;
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  return at < 0 ? text.length : at;
}
