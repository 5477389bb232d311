import type { Import, ImportLanguage } from './read-imports.ts';

/** The files that can be meant, and how Go names the folders of the workspace. */
export type ImportTree = {
  /** relative to the workspace; for a language of `isByPath` the paths that were asked about */
  files: Iterable<string> & Pick<ReadonlySet<string>, 'has'>;
  /** folder -> files directly in it */
  folders: ReadonlyMap<string, readonly string[]>;
  /** folder of a `go.mod` -> the module's path */
  goModules: ReadonlyMap<string, string>;
};

/** @param goModules see `ImportTree` */
export function importTree(
  paths: readonly string[],
  goModules: ReadonlyMap<string, string> = new Map(),
): ImportTree {
  const folders = new Map<string, string[]>();
  for (const path of paths) {
    const folder = folderOf(path);
    const files = folders.get(folder);
    if (files === undefined) folders.set(folder, [path]);
    else files.push(path);
  }
  return { files: new Set(paths), folders, goModules };
}

/** Languages whose imports say a path: what may be meant is known without a list of all files. */
export function isByPath(language: ImportLanguage): boolean {
  return ['script', 'python', 'rust', 'ruby'].includes(language);
}

/** For a language of `isByPath`: the paths that an import may mean. */
export function mayMean(from: string, wanted: Import, language: ImportLanguage): string[] {
  const asked = new Set<string>();
  const has = (path: string): boolean => {
    asked.add(path);
    return false;
  };
  const files = { has, [Symbol.iterator]: () => [][Symbol.iterator]() };
  resolveImport(from, wanted, language, { files, folders: new Map(), goModules: new Map() });
  return [...asked];
}

/** The files of the workspace that an import names; none for a package from elsewhere. */
export function resolveImport(
  from: string,
  wanted: Import,
  language: ImportLanguage,
  tree: ImportTree,
): string[] {
  const found = resolvers[language](from, wanted, tree);
  return [...new Set(found)].filter((path) => path !== from);
}

type Resolver = (from: string, wanted: Import, tree: ImportTree) => string[];

const scriptEndings = ['.ts', '.tsx', '.mts', '.cts', '.d.ts', '.js', '.jsx', '.mjs', '.cjs'];

const script: Resolver = (from, { specifier }, tree) => {
  const bare = specifier.replace(/[?#].*$/, '');
  const bases = /^\.{1,2}(?:\/|$)/.test(bare)
    ? [join(folderOf(from), bare)]
    : /^[@~]\//.test(bare)
      ? [join('src', bare.slice(2)), join('', bare.slice(2))]
      : [];
  return first(bases.flatMap(scriptCandidates), tree);
};

/** `./a.js` names `a.ts` as well; a folder names its index. */
function scriptCandidates(base: string): string[] {
  const stem = base.replace(/\.([mc]?)jsx?$/, '');
  const swapped = stem === base ? [] : scriptEndings.map((ending) => stem + ending);
  const grown = scriptEndings.map((ending) => base + ending);
  return [
    base,
    ...swapped,
    ...grown,
    ...scriptEndings.map((ending) => join(base, `index${ending}`)),
  ];
}

const python: Resolver = (from, { specifier, names = [] }, tree) => {
  const dots = /^\.*/.exec(specifier)?.[0].length ?? 0;
  const parts = specifier.slice(dots).split('.').filter(Boolean);
  let bases: string[];
  if (dots > 0) {
    let folder = folderOf(from);
    for (let up = 1; up < dots; up += 1) folder = folderOf(folder);
    bases = [join(folder, parts.join('/'))];
  } else {
    bases = [...ancestors(from), 'src', 'lib'].map((folder) => join(folder, parts.join('/')));
  }
  const module = (base: string): string[] => [
    `${base}.py`,
    join(base, '__init__.py'),
    `${base}.pyi`,
  ];
  for (const base of bases) {
    const modules = names.flatMap((name) => first(module(join(base, name)), tree));
    const isAll = names.length > 0 && modules.length === names.length;
    // Names that are all files of a package are what is asked for, not the package.
    const found = isAll ? modules : [...modules, ...first(module(base), tree)];
    if (found.length > 0) return found;
  }
  return [];
};

const go: Resolver = (_, { specifier }, tree) => {
  for (const [folder, module] of tree.goModules) {
    if (specifier !== module && !specifier.startsWith(`${module}/`)) continue;
    const inside = join(folder, specifier.slice(module.length + 1));
    const files = tree.folders.get(inside) ?? [];
    return files.filter((path) => path.endsWith('.go') && !path.endsWith('_test.go'));
  }
  return [];
};

const rust: Resolver = (from, { specifier, names = [] }, tree) => {
  const folder = folderOf(from);
  const own = fileOf(from).replace(/\.rs$/, '');
  const module = ['mod', 'lib', 'main'].includes(own) ? folder : join(folder, own);
  if (specifier.startsWith('mod '))
    return first(rustModule(join(module, specifier.slice(4))), tree);
  const parts = specifier.split('::').filter(Boolean);
  let base: string;
  if (parts[0] === 'crate') base = cratesFolder(from);
  else if (parts[0] === 'self') base = module;
  else if (parts[0] === 'super') base = folderOf(module);
  else return [];
  parts.shift();
  while (parts[0] === 'super') {
    base = folderOf(base);
    parts.shift();
  }
  const longest = (rest: readonly string[]): string[] => {
    for (let length = rest.length; length > 0; length -= 1) {
      const found = first(rustModule(join(base, rest.slice(0, length).join('/'))), tree);
      if (found.length > 0) return found;
    }
    return [];
  };
  const nested = names.flatMap((name) => longest([...parts, ...name.split('::')]));
  return nested.length > 0 ? nested : longest(parts);
};

const rustModule = (base: string): string[] => [`${base}.rs`, join(base, 'mod.rs')];

function cratesFolder(from: string): string {
  const parts = from.split('/');
  const at = parts.lastIndexOf('src');
  return at < 0 ? folderOf(from) : parts.slice(0, at + 1).join('/');
}

const c: Resolver = (from, { specifier }, tree) => {
  const name = specifier.slice(1, -1);
  const near = specifier.startsWith('"') ? first([join(folderOf(from), name)], tree) : [];
  return near.length > 0 ? near : bySuffix([name], tree);
};

const java: Resolver = (_, { specifier }, tree) => {
  const path = specifier.replaceAll('.', '/');
  if (path.endsWith('/*')) {
    const folder = path.slice(0, -2);
    return [...tree.folders]
      .filter(([name]) => name === folder || name.endsWith(`/${folder}`))
      .flatMap(([, files]) => files);
  }
  // A static import names a member behind the class.
  const found = bySuffix(javaFiles(path), tree);
  return found.length > 0 ? found : bySuffix(javaFiles(folderOf(path)), tree);
};

const javaFiles = (path: string): string[] =>
  path === '' ? [] : ['java', 'kt', 'scala', 'groovy'].map((ending) => `${path}.${ending}`);

const ruby: Resolver = (from, { specifier }, tree) => {
  const name = specifier.endsWith('.rb') ? specifier : `${specifier}.rb`;
  if (name.startsWith('.')) return first([join(folderOf(from), name)], tree);
  return first([join('lib', name), name], tree);
};

const resolvers: Readonly<Record<ImportLanguage, Resolver>> = {
  ...{ script, python, go, rust, c, java, ruby },
};

function first(candidates: readonly string[], { files }: ImportTree): string[] {
  const found = candidates.find((path) => files.has(path));
  return found === undefined ? [] : [found];
}

/** The file that ends so, where there is only one. */
function bySuffix(names: readonly string[], { files }: ImportTree): string[] {
  const found = [...files].filter((path) =>
    names.some((name) => path === name || path.endsWith(`/${name}`)),
  );
  return found.length === 1 ? found : [];
}

/** The folder of a file and those around it, the nearest first; the workspace itself is ''. */
function ancestors(path: string): string[] {
  const found: string[] = [];
  for (let folder = folderOf(path); ; folder = folderOf(folder)) {
    found.push(folder);
    if (folder === '') return found;
  }
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

export function fileOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** `..` leads up as far as the workspace; what would leave it names nothing in it. */
function join(folder: string, path: string): string {
  const parts: string[] = [];
  for (const part of `${folder}/${path}`.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return '..';
  }
  return parts.join('/');
}
