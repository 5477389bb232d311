/** Files or folders of one kind that a call came by and could not read. */
export type NotRead = {
  /** `unreadable`, `over 50 MiB`, `over 2 MiB`, or the ending of a binary file's name, e.g. `pdf` */
  kind: string;
  count: number;
  /** the first of those that a person may want to read, `root:relative/path` */
  paths: readonly string[];
};

/** Paths that are named of each kind. */
export const maxNotReadPaths = 8;
/** Characters of a path that is named: a list comes with each of many calls. */
const maxPathCharacters = 512;
/** Kinds that are told apart; all others are `binary`. */
export const maxNotReadKinds = 40;

export const unreadable = 'unreadable';
/** Files that hold text for people, in a form that only their own programs read. */
const documents = ['pdf', 'doc', 'docx', 'odt', 'rtf', 'xls', 'xlsx', 'ods', 'ppt', 'pptx', 'epub'];

/** Kinds whose text the part "documents" reads, by the endings of their names. */
const documentKinds = ['pdf', 'docx'] as const;
export type DocumentKind = (typeof documentKinds)[number];

/** @returns undefined for a file whose text is read as it is, or not at all */
export function documentKindOf(path: string): DocumentKind | undefined {
  const kind = binaryKind(path);
  return documentKinds.find((each) => each === kind);
}

const isTold = (kind: string): boolean =>
  kind === unreadable || kind.includes(' ') || documents.includes(kind);

/** Collects what one call does not read. */
export type NotReadSum = {
  add(kind: string, path: string): void;
  addAll(others: readonly NotRead[]): void;
  /** undefined where everything was read */
  list(): NotRead[] | undefined;
};

export function createNotReadSum(): NotReadSum {
  const kinds = new Map<string, { count: number; paths: string[] }>();
  const addMany = (given: string, count: number, paths: readonly string[]): void => {
    const kind = kinds.has(given) || kinds.size < maxNotReadKinds ? given : 'binary';
    const before = kinds.get(kind) ?? { count: 0, paths: [] };
    before.count += count;
    if (isTold(kind)) {
      const short = paths.filter((path) => path.length <= maxPathCharacters);
      before.paths.push(...short.slice(0, maxNotReadPaths - before.paths.length));
    }
    kinds.set(kind, before);
  };
  return {
    add: (kind, path) => addMany(kind, 1, [path]),
    addAll: (others) => {
      for (const { kind, count, paths } of others) addMany(kind, count, paths);
    },
    list: () =>
      kinds.size === 0 ? undefined : [...kinds].map(([kind, rest]) => ({ kind, ...rest })),
  };
}

/** Whether a file is one that people would read, and its text is not in its bytes. */
export function isDocument(path: string): boolean {
  return documents.includes(binaryKind(path));
}

/** The kind of a file that holds no text, by the ending of its name. */
export function binaryKind(name: string): string {
  return /\.([a-z0-9]{1,12})$/i.exec(name)?.[1]?.toLowerCase() ?? 'binary';
}

/** What steps came by and could not read: a file that two of them came by counts once. */
export function notReadOf(
  results: readonly { hostCalls: readonly { notRead?: readonly NotRead[] }[] }[],
): NotRead[] {
  const kinds = new Map<string, NotRead>();
  const all = results.flatMap(({ hostCalls }) => hostCalls.flatMap(({ notRead = [] }) => notRead));
  for (const one of all) {
    const before = kinds.get(one.kind)?.paths ?? [];
    const paths = [...new Set([...before, ...one.paths])];
    const count = Math.max(kinds.get(one.kind)?.count ?? 0, one.count, paths.length);
    kinds.set(one.kind, { kind: one.kind, count, paths: paths.slice(0, maxNotReadPaths) });
  }
  return [...kinds.values()];
}

/**
 * In words, for people and models: documents and what is too large by their kinds, what may not be
 * read by name. Pictures and programs hold no text that anybody asks for.
 *
 * @returns undefined where nothing of it is worth a line
 */
export function notReadText(list: readonly NotRead[]): string | undefined {
  const told = list.filter(({ kind }) => isTold(kind));
  if (told.length === 0) return undefined;
  const parts = told.map((one) => {
    if (one.kind !== unreadable) return `${one.count} ${one.kind}`;
    const named = one.paths.slice(0, 3).map((path) => path.replace(/^work:/, ''));
    const more = one.count > named.length ? ` and ${one.count - named.length} more` : '';
    return `${one.count} without permission (${named.join(', ')}${more})`;
  });
  // With the part, what is left is told with its reason.
  const isAddable = told.some(({ kind }) => documentKindOf(`.${kind}`) === kind);
  const how = isAddable ? ' (text of pdf and docx: cuervo add documents)' : '';
  return `not read: ${parts.join(', ')}${how}`;
}
