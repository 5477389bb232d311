/** Languages and kinds of files, as people name them: the extensions of their files. */
const extensions: Readonly<Record<string, string>> = {
  typescript: 'ts tsx mts cts',
  javascript: 'js jsx mjs cjs',
  coffeescript: 'coffee',
  python: 'py',
  rust: 'rs',
  go: 'go',
  golang: 'go',
  java: 'java',
  kotlin: 'kt kts',
  scala: 'scala',
  groovy: 'groovy',
  clojure: 'clj cljs cljc',
  clang: 'c h',
  cpp: 'cpp cc cxx hpp hh hxx h',
  csharp: 'cs',
  fsharp: 'fs fsx',
  objc: 'm mm h',
  ruby: 'rb',
  php: 'php',
  perl: 'pl pm',
  swift: 'swift',
  dart: 'dart',
  lua: 'lua',
  rlang: 'R r',
  julia: 'jl',
  haskell: 'hs',
  ocaml: 'ml mli',
  elixir: 'ex exs',
  erlang: 'erl hrl',
  zig: 'zig',
  nim: 'nim',
  vue: 'vue',
  svelte: 'svelte',
  sql: 'sql',
  graphql: 'graphql gql',
  protobuf: 'proto',
  terraform: 'tf tfvars',
  solidity: 'sol',
  markdown: 'md',
  json: 'json',
  toml: 'toml',
  yaml: 'yml yaml',
  xml: 'xml',
  csv: 'csv',
  css: 'css scss',
  html: 'html',
  shell: 'sh',
  bash: 'sh bash',
  powershell: 'ps1 psm1',
  wit: 'wit',
  wasm: 'wasm',
  image: 'png jpg jpeg gif svg webp',
  images: 'png jpg jpeg gif svg webp',
  documentation: 'md',
  docs: 'md',
};

const notCode =
  /^(?:markdown|json|toml|yaml|xml|csv|css|html|images?|documentation|docs|wasm|sql|graphql)$/;
const codeExtensions = new Set(
  Object.entries(extensions).flatMap(([kind, endings]) =>
    notCode.test(kind) ? [] : endings.split(' '),
  ),
);
/** What languages and kinds of files are called. */
export const languages = Object.keys(extensions).join(' ');
/** One glob for the files of all languages. */
export const codePattern = `*.{${[...codeExtensions].join(',')}}`;

export function isCodeExtension(extension: string): boolean {
  return codeExtensions.has(extension);
}

/** Kinds that go by another part of the name. */
const globs: Readonly<Record<string, string>> = {
  config: '*{config,rc}*',
  configuration: '*{config,rc}*',
};

const knownExtensions = new Set(Object.values(extensions).flatMap((each) => each.split(' ')));

/** Names that are not plain word, or but one letter, which would be lost among the words. */
const spelled: readonly [RegExp, string][] = [
  [/(?<!\w)objective[- ]c(?![\w+#])/gi, 'objc'],
  [/(?<!\w)c\+\+(?!\w)/gi, 'cpp'],
  [/(?<!\w)c#(?!\w)/gi, 'csharp'],
  [/(?<!\w)f#(?!\w)/gi, 'fsharp'],
  [/(?<![\w.-])c(?= (?:source |header )?files?\b)/gi, 'clang'],
  [/(?<![\w.-])r(?= (?:source )?files?\b)/gi, 'rlang'],
];

/**
 * The text with the names of kinds each as one word in small letters, so that `JavaScript` is not
 * read as `java` and `script`.
 */
export function withPlainKinds(text: string): string {
  const plain = spelled.reduce((changed, [name, word]) => changed.replace(name, word), text);
  return plain.replace(/[A-Za-z]+/g, (word) => (isKind(word) ? word.toLowerCase() : word));
}

/** Matches a file of a known kind. */
export function isFileExtension(extension: string): boolean {
  return knownExtensions.has(extension.toLowerCase());
}

export function isKind(word: string): boolean {
  const key = word.toLowerCase();
  return Object.hasOwn(extensions, key) || Object.hasOwn(globs, key);
}

/** One glob for the kinds that a question names: `JavaScript`, `.ts files`, `ts files`. */
export function kindPattern(question: string, words: readonly string[]): string | undefined {
  const named = words.filter(isKind);
  const other = named.find((word) => Object.hasOwn(globs, word));
  if (other !== undefined && other === named[0]) return globs[other];
  const wanted = [
    ...named.flatMap((word) => extensions[word]?.split(' ') ?? []),
    ...extensionsIn(question),
  ];
  const all = [...new Set(wanted)];
  if (all.length === 0) return undefined;
  return all.length === 1 ? `*.${all[0]}` : `*.{${all.join(',')}}`;
}

/**
 * `.ts and .tsx files`, `files ending in .ts`, `py files`: without a dot only those of a kind that
 * is known here. A dot behind `in` begins a folder, as in `files in .github`.
 */
function extensionsIn(question: string): string[] {
  const dotted =
    /(?<![\w/*])\.([a-z][a-z0-9]{0,9})(?=(?:\s*,\s*|\s+(?:and|or)\s+)\.[a-z]|\s+(?:source )?files?\b)|\b(?:end(?:s|ing)? (?:in|with)|extension) \.?([a-z][a-z0-9]{0,9})\b/gi;
  const bare = /(?<![\w./*-])([a-z][a-z0-9]{0,9})(?= files?\b)/gi;
  const found = [...question.matchAll(dotted)].map(([, before, behind]) => before ?? behind ?? '');
  const known = [...question.matchAll(bare)].flatMap(([, word = '']) =>
    knownExtensions.has(word.toLowerCase()) && !isKind(word) ? [word.toLowerCase()] : [],
  );
  return [...found, ...known];
}

/** What projects run on. */
export const engines =
  'node nodejs node.js python go golang rust java ruby php deno bun elixir erlang otp swift scala engine engines runtime toolchain msrv jdk interpreter compiler';
