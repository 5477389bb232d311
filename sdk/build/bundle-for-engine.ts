import { type BundleOptions, bundlePlugin } from './bundle-plugin.ts';
import { freeNames } from './free-names.ts';
import { engineGlobals, hollow, pageGlobals, type Shim, shims } from './known-globals.ts';
import { packageOf } from './other-entries.ts';
import type { Bundle, Place } from './placed-bundle.ts';

/** A global that is absent, and the first place in a file that relies on it. */
export type AbsentGlobal = { name: string; file: string; line: number };

export type EngineBundle = Bundle & {
  absent: AbsentGlobal[];
  /** where code that is not the SDK's own writes to console */
  console: Omit<AbsentGlobal, 'name'> | undefined;
  /** where such code asks for the time */
  time: Omit<AbsentGlobal, 'name'> | undefined;
};

/** Each adds a global or changes an entry; there are not many more of them. */
const maxRounds = 8;

type Options = Omit<BundleOptions, 'entry'> & {
  /** @param shimFiles below `guest/globals`, to be imported before the plugin */
  entryWith(shimFiles: readonly string[]): string;
};

/**
 * The bundle with those globals of the SDK that it uses, which only a bundle can tell: what one
 * brings may use another. A package whose entry for browsers relies on a page is taken as Node
 * takes it.
 *
 * @throws {BuildError} as `bundlePlugin`
 */
export async function bundleForEngine({ entryWith, ...options }: Options): Promise<EngineBundle> {
  const files = new Set<string>();
  const plainPackages = new Set<string>();
  const requiringFiles = new Set<string>();
  for (let round = 1; ; round += 1) {
    const entry = entryWith([...files].toSorted());
    const bundle = await bundlePlugin({ ...options, entry, plainPackages, requiringFiles });
    const uses = usesOf(bundle);
    const before = plainPackages.size + requiringFiles.size;
    for (const file of shimFilesFor(uses)) files.add(file);
    if (options.capabilities?.has('random') === true && matchesOutside(bundle, randomCalls)) {
      files.add('crypto');
    }
    for (const [pattern, file] of byPattern) if (matchesOutside(bundle, pattern)) files.add(file);
    for (const name of packagesOfPages(uses)) plainPackages.add(name);
    for (const { file } of placesOutside(bundle, ownRequire)) requiringFiles.add(file);
    const isChanged =
      entryWith([...files].toSorted()) !== entry ||
      plainPackages.size + requiringFiles.size > before;
    if (isChanged && round < maxRounds) continue;
    const isOther = ({ name, file }: Use): boolean => !isThere(name) && !isOurs(file);
    const made = new Set(uses.filter((use) => use.makes && isOther(use)).map(({ name }) => name));
    const absent = uses.filter((use) => use.relies && isOther(use) && !made.has(use.name));
    return {
      ...bundle,
      // On the first line, whose place nobody asks for.
      code: [...made].map((name) => `globalThis.${name} = undefined; `).join('') + bundle.code,
      absent: absent.map(({ name, file, line }) => ({ name, file, line })),
      console: uses.find(({ name, file }) => name === 'console' && !isOurs(file)),
      time: placesOutside(bundle, timeReads).next().value,
    };
  }
}

const isThere = (name: string): boolean =>
  engineGlobals.has(name) || (shims.has(name) && !hollow.has(name));

const isOurs = (file: string): boolean =>
  /^(?:sdk|node_modules\/(?:@jspm|core-js-pure|@noble\/hashes))\//.test(file);

/** A global that a file names. */
type Use = {
  name: string;
  file: string;
  /** of the first use that relies on it, else of the first */
  line: number;
  /** the file uses it and does not ask first whether it is there */
  relies: boolean;
  /** the file makes it without a declaration, which a module may not do */
  makes: boolean;
};

function usesOf(bundle: Bundle): Use[] {
  const uses = new Map<string, Use & { isAsked: boolean }>();
  for (const { name, at, isAsked, isMade } of freeNames(bundle.code)) {
    const place = bundle.placeOf(at);
    // Code of the bundler itself.
    if (place === undefined) continue;
    const key = `${place.file}\n${name}`;
    const known = uses.get(key);
    if (known === undefined) {
      const { file, line } = place;
      uses.set(key, { name, file, line, relies: !isAsked, isAsked, makes: isMade });
    } else {
      known.makes ||= isMade;
      known.isAsked ||= isAsked;
      if (!isAsked && !known.relies) Object.assign(known, { relies: true, line: place.line });
    }
  }
  return [...uses.values()].map(({ isAsked, relies, ...use }) => ({
    ...use,
    relies: relies && !isAsked,
  }));
}

/** Methods that speak the language of a person; the engine's own know none. */
const localeCalls = /\.(?:toLocale(?:Date|Time)?String|localeCompare)\(/g;
/** Calls of `crypto`, whatever the object is called that code found it in. */
const randomCalls = /\.(?:getRandomValues|randomUUID)\b/g;
/** What the last match left, which the engine does not keep. */
const matchFields =
  /\bRegExp\s*(?:\.\s*(?:\$[1-9_]|lastMatch|lastParen|leftContext|rightContext|input)\b|\[\s*["'`]\$)/g;

/** The version of Node, taken for granted. */
const versionReads = /\bprocess\w*\.(?:versions\.node\s*[.:]|version\s*\.(?:match|replace)\b)/g;
/** Taken from an object that holds the globals. */
const fetchReads = /\.fetch\b/g;
/** Functions of `node:url` whose library asks for the classes. */
const urlCalls = /\b(?:fileURLToPath|pathToFileURL)\d*\)?\(/g;

const byPattern = [
  [localeCalls, 'intl'],
  [matchFields, 'regexp-statics'],
  [versionReads, 'node-version'],
  [fetchReads, 'fetch'],
  [urlCalls, 'url'],
] as const;

/**
 * A module that makes `require` for itself, requires what the bundler did not see, or looks for a
 * file beside itself.
 */
const ownRequire =
  /\b(?:\w*[cC]reateRequire\d*\)?|__require\d*(?:\.resolve)?)\(|\b__dirname\b|"file:\/\/\/plugin\.js"/g;

/** The time, and not a date that is known already. */
const timeReads = /\bnew Date(?:\(\)|\b(?!\())|\b(?:Date|performance)\.now\b/g;

/** Places in files that are not the SDK's own. */
function placesOutside(bundle: Bundle, pattern: RegExp): IteratorObject<Place, undefined> {
  return bundle.code
    .matchAll(pattern)
    .map(({ index }) => bundle.placeOf(index))
    .filter((place) => place !== undefined && !isOurs(place.file)) as IteratorObject<
    Place,
    undefined
  >;
}

const matchesOutside = (bundle: Bundle, pattern: RegExp): boolean =>
  placesOutside(bundle, pattern).next().done !== true;

function shimFilesFor(uses: readonly Use[]): string[] {
  return uses.flatMap(({ name, relies }) => {
    const shim: Shim | undefined = shims.get(name);
    return shim !== undefined && (relies || shim.when === 'mentioned') ? [shim.file] : [];
  });
}

function packagesOfPages(uses: readonly Use[]): string[] {
  return uses.flatMap(({ name, relies, file }) => {
    const isPage = relies && pageGlobals.has(name) && !isOurs(file);
    const owner = isPage ? packageOf(file) : undefined;
    return owner === undefined ? [] : [owner];
  });
}
