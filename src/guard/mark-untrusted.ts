import { KernelError } from '../contracts/error.ts';
import { escapePattern } from '../lib/text/escape.ts';
import { truncateMiddle } from '../lib/text/truncate-middle.ts';

/**
 * Separators of turns, results and instructions for some model. In the text of a file they have no
 * meaning and stand for themselves.
 */
const delimiters = new RegExp(
  [
    String.raw`<(?=/?(?i:tool_(?:results?|responses?|outputs?|use|calls?)|function_(?:results?|calls?)|antml:\w{1,30}|invoke(?=\s+name=))(?:\s[^<>]{0,200})?>)`,
    String.raw`<(?=/?(?:system(?:[-_]\w{1,20})?|assistant|(?:start|end)_of_turn)>)`,
    String.raw`<(?=[|｜][A-Za-z][\w▁]{1,40}[|｜]>)`,
    '<(?=</?SYS>>)',
    String.raw`\[(?=/?(?:INST|TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS|SYSTEM_PROMPT)\])`,
    // Also after an empty line, and in a text inside JSON.
    String.raw`(?<=(?:^|\n[ \t]{0,4}\r?\n|\\n\\n)(?:Human|Assistant)):`,
  ].join('|'),
  'g',
);

/**
 * Puts the character that makes a delimiter into brackets: `[<]/tool_result>`, `Human[:]`.
 *
 * @returns the text, and each delimiter that was escaped
 */
export function escapeDelimiters(text: string): {
  text: string;
  shown: { as: string; of: string }[];
} {
  const found: { as: string; of: string }[] = [];
  const escaped = text.replace(delimiters, (character: string, at: number) => {
    const word = /^[</|｜[]{1,3}[\w:-]{1,40}/.exec(text.slice(at, at + 48))?.[0].slice(1);
    const name = word ?? '';
    const before =
      character === ':'
        ? (/(?:Human|Assistant)$/.exec(text.slice(Math.max(0, at - 9), at))?.[0] ?? '')
        : '';
    found.push({ as: `${before}[${character}]${name}`, of: `${before}${character}${name}` });
    return `[${character}]`;
  });
  return { text: escaped, shown: found };
}

/**
 * Characters that a person does not see and a model reads: controls but for tab and line ends,
 * separators, and all that is drawn as nothing: marks and overrides of direction, spaces and joiners
 * without a width, fillers, tags, selectors of variants, and what is kept free for more of them.
 */
const hidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is searched
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]/gu;

/** Flags of parts of a country, which are written with tags: England, Scotland, Wales. */
const flags =
  /\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}/gu;

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
/** Signs that a joiner joins: parts of an emoji, letters of joined scripts. */
const joined =
  /[\p{Extended_Pictographic}\p{Emoji_Modifier}\u0590-\u0fff\u1000-\u109f\u1780-\u18af]|\ufe0f/u;

/** Marks that have a use, and the signs before and after which they have it. */
const homes: readonly { marks: RegExp; before: RegExp; after?: RegExp }[] = [
  { marks: /[\u200c\u200d]/, before: joined, after: joined },
  { marks: /[\ufe0e\ufe0f]/, before: /[\p{Extended_Pictographic}\p{Emoji_Presentation}]/u },
  { marks: /\ufe0f/, before: /[0-9#*]/, after: /\u20e3/ },
  { marks: /[\ufe00-\ufe02]/, before: /[\p{Script=Han}\u2200-\u22ff\u2a00-\u2aff]/u },
  { marks: /[\u180b-\u180d\u180f]/, before: /[\u1820-\u18aa]/ },
  { marks: /[\u17b4\u17b5]/, before: /[\u1780-\u17b3]/ },
  { marks: /[\u115f\u1160]/, before: /[\u1100-\u115e\ua960-\ua97f]/ },
  { marks: /\u115f/, before: /(?:)/, after: /[\u1161-\u11a7]/ },
  { marks: /\u00ad/, before: /\p{L}/u, after: /\p{L}/u },
];

/** `[U+200B]` */
function shown(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `[U+${code}]`;
}

/**
 * Writes hidden characters out. Those with a use stay: a joiner within emoji and joined scripts,
 * one selector after a character with variants, a hyphen within a word, direction marks in
 * right-to-left text, and a leading byte order mark.
 *
 * @returns the text, and an entry for each character written out
 */
export function showHidden(text: string): { text: string; shown: { as: string; of: string }[] } {
  const found: { as: string; of: string }[] = [];
  if (text.search(hidden) < 0) return { text, shown: found };
  const isRightToLeft = rightToLeft.test(text);
  const inFlags = new Set<number>();
  for (const { index, 0: flag } of text.matchAll(flags)) {
    for (let at = index; at < index + flag.length; at += 1) inFlags.add(at);
  }
  const written = text.replace(hidden, (character: string, at: number) => {
    if (inFlags.has(at) || (character === '\ufeff' && at === 0)) return character;
    if (isRightToLeft && /[\u061c\u200e\u200f]/.test(character)) return character;
    if (isAtHome(character, text, at)) return character;
    found.push({ as: shown(character), of: character });
    return shown(character);
  });
  return { text: written, shown: found };
}

function isAtHome(character: string, text: string, at: number): boolean {
  const known = homes.filter(({ marks }) => marks.test(character));
  if (known.length === 0) return false;
  const before = [...text.slice(Math.max(0, at - 2), at)].at(-1) ?? '';
  const after = String.fromCodePoint(text.codePointAt(at + 1) ?? 0);
  return known.some(
    (home) => home.before.test(before) && (home.after === undefined || home.after.test(after)),
  );
}

const noncePattern = /^[A-Za-z0-9]{8,64}$/;
const maxSourceCharacters = 200;

/**
 * Where a line of data looks like a marker of any nonce; a small model might believe it. A variable
 * of that name in brackets looks like none.
 */
const markerLike = /\[(?=\s*(?:end\s+of\s+data\b|data\s+[^\s,\]]{1,64}\s+from\b))/gi;

/** Without the nonce in any letter case, and without anything that looks like a marker. */
function defuse(text: string, nonce: string): string {
  return text.replace(new RegExp(escapePattern(nonce), 'gi'), '[removed]').replace(markerLike, '(');
}

/**
 * Puts text that nobody vouches for between two markers that it cannot forge: both carry the
 * nonce, which is random and not known when the text was written, and occurrences of the nonce
 * and of look-alikes inside are defused.
 *
 * @param part.source where the text is from, for people and models: a path, a tool, a memory.
 *   Untrusted too: one line, at most 200 characters.
 * @param part.maxBytes limit of the data in UTF-8 bytes, the markers not counted; the middle of
 *   longer data is left out and the omission stated
 * @param part.nonce 8 to 64 letters and digits, new for each request
 * @throws {KernelError} `internal` for a nonce of another form
 */
export function markUntrusted(part: {
  source: string;
  text: string;
  maxBytes: number;
  nonce: string;
}): string {
  if (!noncePattern.test(part.nonce)) {
    throw new KernelError(
      'internal',
      'markUntrusted() needs a nonce of 8 to 64 letters and digits',
    );
  }
  const source = defuse(part.source, part.nonce)
    .replace(/[\s[\]]+/g, ' ')
    .trim()
    .slice(0, maxSourceCharacters);
  const data = truncateMiddle(defuse(part.text, part.nonce), part.maxBytes);
  return `[data ${part.nonce} from ${source}]\n${data}\n[end of data ${part.nonce}]`;
}
