/** The words of a text without accents, in lower case, ß as ss, in their order. */
export function plainWords(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss');
  return plain.match(/[\p{L}\p{N}]+(?:[.:@/_-][\p{L}\p{N}]+)*/gu) ?? [];
}

/** Articles, pronouns, prepositions, auxiliaries and what apostrophes leave behind. */
export const stopWords: ReadonlySet<string> = new Set(
  `a about above after again against all am an and any are as at be because been before being below
  between both but by can could did do does doing don down during each few for from further had has
  have having he her here hers him his how i if in into is it its itself just ll me more most my no
  nor not now o of off on once only or other our ours out over own re s same she should so some such
  t than that the their theirs them then there these they this those through to too under until up
  ve very was we were what when where which while who whom why will with would you your yours`.split(
    /\s+/,
  ),
);

/**
 * A word without its ending of English inflection. Both sides of a comparison go through it, so
 * crude is enough.
 *
 * @param word lower case; other than a to z it stays as it is
 */
export function stemWord(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  let base = word;
  if (base.endsWith('ies')) base = `${base.slice(0, -3)}y`;
  else if (base.endsWith('sses')) base = base.slice(0, -2);
  else if (/[^su]s$/.test(base)) base = base.slice(0, -1);
  const ending = /(ing|ed)$/.exec(base)?.[0];
  if (ending !== undefined) {
    const rest = base.slice(0, -ending.length);
    if (rest.length >= 3 && /[aeiouy]/.test(rest)) base = rest.replace(/([^aeioulsz])\1$/, '$1');
  }
  if (base.length > 3 && base.endsWith('e')) base = base.slice(0, -1);
  return base.replace(/([^aeiou])y$/, '$1i');
}

/** What every word of a stem begins with: only its last letter may be another one, as in "tries". */
export function stemBeginning(stem: string): string {
  return stem.slice(0, -1);
}

/** Words that ask for something and are not what it is about. */
const askingWords = new Set(
  `done find get give let list many may might much must one please say see shall show tell use used
  uses using want whose`.split(/\s+/),
);

/** The words of a text that say what it is about: lower case, in order, each once. */
export function contentWords(text: string): string[] {
  const words = text
    // `kWh` is one word, and `readFile` two.
    .replace(/([a-z0-9]{2})([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return [...new Set(words ?? [])].filter(
    (word) => word.length > 1 && !stopWords.has(word) && !askingWords.has(word),
  );
}

/** Letters of scripts that put spaces between words; other scripts do not show where a name ends. */
const letter = String.raw`\w\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{M}`;
/** In names that routes are made of: `[id].tsx`, `(shop)/page.tsx`, `+page.svelte`, `$id.tsx`. */
const bracket = String.raw`\[[\w.-]+\]`;
const group = String.raw`\([\w-]+\)(?=\/)`;

/**
 * `README.md`, `src/host`, `*.ts`: what a person means as a path or a glob. Each alternative
 * begins only where a word does, so that a word of many thousand characters is read once.
 */
const path = new RegExp(
  [
    `(?<![${letter}@.*+$\\]-])(?:(?:[${letter}@.*+$-]|${bracket}|${group})+\\/)+(?:[${letter}@.*+$-]|${bracket})*`,
    `(?<![${letter}*.+$\\]-])(?:[${letter}*+$-]|${bracket})+(?:\\.[${letter}*-]+)*\\.[A-Za-z*][\\w*]{0,9}\\b`,
    String.raw`(?<![${letter}\]])\B\.[\w-]{2,}`,
  ].join('|'),
  'gu',
);

/** Paths and globs in a text, in order, each once. */
export function pathsIn(text: string): string[] {
  const trimmed = (text.match(path) ?? []).map((found) =>
    found.replace(/[.,;:?!]+$/, '').replace(/\/$/, ''),
  );
  return [...new Set(trimmed)].filter((found) => found.length > 1 && !/^\d+\.\d+$/.test(found));
}

/**
 * The words of a text that say what is to be done: those of `contentWords` without numbers. The name
 * of a file says nothing about that, and its ending does.
 */
export function goalWords(text: string): string[] {
  const endings = pathsIn(text).reduce(
    (rest, path) => rest.replace(path, () => /\.([a-z]\w*)$/i.exec(path)?.[1] ?? ''),
    text,
  );
  return contentWords(endings.replace(/\b\d[\d.:]*\b/g, ''));
}

/** What stands in quotation marks, in order. */
export function quotedIn(text: string): string[] {
  return [...text.matchAll(/"([^"]+)"|'([^']+)'|“([^”]+)”/g)].map(
    ([, one, two, three]) => one ?? two ?? three ?? '',
  );
}

/** Names of code: quoted with backticks, camelCase, snake_case, or with a call's parentheses. */
export function identifiersIn(text: string): string[] {
  const quoted = [...text.matchAll(/`([^`\s]{2,64})`/g)].map((match) => match[1] as string);
  const written = text.match(
    /\b(?:_+[A-Za-z]\w*[A-Za-z0-9]|[a-z][a-z0-9]*[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|\w+_\w+|[A-Za-z]\w+(?=\(\)))\b/g,
  );
  const paths = pathsIn(text);
  const names = [...quoted, ...(written ?? [])].map((name) => name.replace(/\(\)$/, ''));
  return [...new Set(names)].filter((name) => !paths.some((path) => path.includes(name)));
}

/** An address of the web as it stands there; no other word is one. */
export function urlIn(question: string): string | undefined {
  const found = /\bhttps?:\/\/[^\s"'“”<>]+/i.exec(question)?.[0].replace(/[).,;:?!]+$/, '');
  return found !== undefined && URL.canParse(found) ? found : undefined;
}

/**
 * What a word is in the bytes of a text. An identifier is a run of letters, digits and `_`; its
 * parts begin where the case rises, after `_`, and between letters and digits (`HTTPServer_v2`:
 * HTTP, Server, v, 2).
 */
export const byteClass = {
  other: 0,
  lower: 1,
  upper: 2,
  digit: 3,
  underscore: 4,
  newline: 5,
} as const;

const { lower, upper, digit, newline, other } = byteClass;

/** The class of each byte; what is not ASCII is part of a letter. */
export const classOfByte: Uint8Array = createClassTable();

/** Each byte, capital letters as small ones. */
export const lowerByte: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x41 && byte <= 0x5a ? byte + 32 : byte,
);

function createClassTable(): Uint8Array {
  const table = new Uint8Array(256);
  table.fill(byteClass.lower, 0x61, 0x7b);
  table.fill(byteClass.lower, 0x80);
  table.fill(byteClass.upper, 0x41, 0x5b);
  table.fill(byteClass.digit, 0x30, 0x3a);
  table[0x5f] = byteClass.underscore;
  table[0x0a] = byteClass.newline;
  return table;
}

/** Whether a byte may belong to an identifier. */
export function isWordByte(byte: number): boolean {
  const kind = classOfByte[byte];
  return kind !== other && kind !== newline;
}

/** The last of several capital letters begins a part when a small letter follows. */
export function beginsPart(before: number, kind: number, behind: number): boolean {
  if (kind === lower) return before !== lower && before !== upper;
  if (kind === upper) return before !== upper || behind === lower;
  return kind === digit && before !== digit;
}

/**
 * Whether something happens at a byte, a part or a line ending, by the classes of the byte
 * before, the byte and the byte behind it: `before << 6 | byte << 3 | behind`.
 */
const eventTable: Uint8Array = Uint8Array.from({ length: 512 }, (_, classes) =>
  isEvent(classes >> 6, (classes >> 3) & 7, classes & 7) ? 1 : 0,
);

function isEvent(before: number, kind: number, behind: number): boolean {
  return kind === newline || beginsPart(before, kind, behind);
}

/**
 * Where parts begin and lines end. The loop over every byte; without a branch it takes half the
 * time: words are short, and where each ends cannot be predicted.
 *
 * @param bytes hold a zero at `end`
 * @param events room for `end - start + 1` offsets; one more is written than counts
 * @returns how many offsets were written
 */
export function findEvents(
  bytes: Uint8Array,
  start: number,
  end: number,
  events: Uint32Array,
): number {
  let count = 0;
  let classes = classOfByte[bytes[start]!]!;
  for (let at = start; at < end; at += 1) {
    classes = ((classes << 3) | classOfByte[bytes[at + 1]!]!) & 511;
    events[count] = at;
    count += eventTable[classes]!;
  }
  return count;
}

/** True when nothing but `_` stands before it in its identifier. */
export function startsIdentifier(bytes: Uint8Array, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && bytes[before] === 0x5f) before -= 1;
  const kind = before < 0 ? other : classOfByte[bytes[before]!]!;
  return kind === other || kind === newline;
}

/** `count text='one two'` as words; quotes hold a word together and a backslash a character. */
export function splitWords(line: string): string[] {
  const words: string[] = [];
  const part = /\\(.)|'([^']*)'|"((?:\\.|[^"\\])*)"|(\s+)|([^\s'"\\]+)|(.)/gs;
  let word: string | undefined;
  for (const [, escaped, single, double, space, plain, odd] of line.trim().matchAll(part)) {
    if (space !== undefined) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    const text = escaped ?? single ?? double?.replace(/\\(["\\])/g, '$1') ?? plain ?? odd ?? '';
    word = (word ?? '') + text;
  }
  return word === undefined ? words : [...words, word];
}

/**
 * `first-name` as `firstName`, which is how generated glue names what WIT calls in kebab case; a
 * word in capitals is a word like another, so `get-URL` is `getUrl`.
 */
export function camelCase(kebab: string): string {
  return kebab.toLowerCase().replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
