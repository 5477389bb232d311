import { type BundleOptions, bundlePlugin } from './bundle-plugin.ts';
import { freeNames } from './free-names.ts';
import { engineGlobals, pageGlobals, type Shim, shims } from './known-globals.ts';
import { packageOf } from './other-entries.ts';
import type { Bundle } from './placed-bundle.ts';

/** A global that is absent, and the first place in a file that relies on it. */
export type AbsentGlobal = { name: string; file: string; line: number };

export type EngineBundle = Bundle & {
  absent: AbsentGlobal[];
  /** code that is not the SDK's own writes to console */
  usesConsole: boolean;
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
  for (let round = 1; ; round += 1) {
    const entry = entryWith([...files].toSorted());
    const bundle = await bundlePlugin({ ...options, entry, plainPackages });
    const uses = usesOf(bundle);
    const before = plainPackages.size;
    for (const file of shimFilesFor(uses)) files.add(file);
    if (matchesOutside(bundle, localeCalls)) files.add('intl');
    if (matchesOutside(bundle, matchFields)) files.add('regexp-statics');
    for (const name of packagesOfPages(uses)) plainPackages.add(name);
    const isChanged = entryWith([...files].toSorted()) !== entry || plainPackages.size > before;
    if (isChanged && round < maxRounds) continue;
    const absent = uses.filter(
      ({ name, file, relies }) => relies && !isThere(name) && !isOurs(file),
    );
    return {
      ...bundle,
      absent: absent.map(({ name, file, line }) => ({ name, file, line })),
      usesConsole: uses.some(({ name, file }) => name === 'console' && !isOurs(file)),
    };
  }
}

const isThere = (name: string): boolean => engineGlobals.has(name) || shims.has(name);

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
};

function usesOf(bundle: Bundle): Use[] {
  const uses = new Map<string, Use & { isAsked: boolean }>();
  for (const { name, at, isAsked } of freeNames(bundle.code)) {
    const place = bundle.placeOf(at);
    // What the bundler wrote itself.
    if (place === undefined) continue;
    const key = `${place.file}\n${name}`;
    const known = uses.get(key);
    if (known === undefined) {
      uses.set(key, { name, file: place.file, line: place.line, relies: !isAsked, isAsked });
    } else {
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
/** What the last match left, which the engine does not keep. */
const matchFields =
  /\bRegExp\s*(?:\.\s*(?:\$[1-9_]|lastMatch|lastParen|leftContext|rightContext|input)\b|\[\s*["'`]\$)/g;

/** Whether code that is not the SDK's own has it. */
function matchesOutside(bundle: Bundle, pattern: RegExp): boolean {
  return bundle.code.matchAll(pattern).some(({ index }) => {
    const place = bundle.placeOf(index);
    return place !== undefined && !isOurs(place.file);
  });
}

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
