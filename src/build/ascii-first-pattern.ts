import { rememberLast } from '../lib/remember-last.ts';

/** What a property of Unicode is in ASCII; others are left as they are. */
const inAscii: Readonly<Record<string, string>> = {
  L: 'a-zA-Z',
  Lu: 'A-Z',
  Ll: 'a-z',
  N: '0-9',
  M: '',
};

/**
 * A pattern that finds in ASCII what `source` finds there. The engine compiles `\p{L}`, with its 684
 * ranges, in more than a millisecond.
 *
 * @param source of a pattern with the flag `u`
 */
export function asciiSource(source: string): string {
  let isInClass = false;
  return source.replace(/\\p\{(\w+)\}|\\.|[[\]]/gs, (token, property: string | undefined) => {
    if (token === '[') isInClass = true;
    if (token === ']') isInClass = false;
    const plain = property === undefined ? undefined : inAscii[property];
    if (plain === undefined) return token;
    return isInClass ? plain : `[${plain}]`;
  });
}

const ascii = /^[\0-\x7f]*$/;
/** One text is asked again and again, for each of its matches and by many patterns. */
const isAscii = rememberLast((text) => ascii.test(text));

/**
 * A pattern that compiles what it needs for letters of all scripts when a text has some. It finds the
 * same as the `RegExp` of its source and flags: `test`, and the methods of strings, go by `exec`.
 */
export class AsciiFirst extends RegExp {
  readonly #source: string;
  #whole: RegExp | undefined;

  /** @param source as of a `RegExp` with the flag `u`, which makes one, too, to split a text by it */
  constructor(source: string | RegExp, flags: string) {
    const text = typeof source === 'string' ? source : source.source;
    super(asciiSource(text), flags);
    this.#source = text;
  }

  override get source(): string {
    return this.#source;
  }

  override exec(text: string): RegExpExecArray | null {
    if (isAscii(text)) return super.exec(text);
    this.#whole ??= new RegExp(this.#source, this.flags);
    this.#whole.lastIndex = this.lastIndex;
    const found = this.#whole.exec(text);
    this.lastIndex = this.#whole.lastIndex;
    return found;
  }
}
