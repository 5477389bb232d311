import { SourceMap, type SourceMapPayload } from 'node:module';
import { relative, resolve } from 'node:path';
import type { BuildResult, Metafile } from 'esbuild';

/** A place in a source, for people: `plugin.ts`, line 12, column 3. */
export type Place = { file: string; line: number; column: number };

export type Bundle = {
  code: string;
  /** source map, version 3, without the sources; its files as in `Place` */
  map: SourceMapPayload;
  /** @param line and column from 1, in `code` */
  placeAt(line: number, column: number): Place | undefined;
  placeOf(offset: number): Place | undefined;
  /** files of the author that were read, absolute: not those of packages and of the SDK */
  authored: string[];
  /** files from the author's own to the given one, each importing the next; it is the last */
  chainTo(file: string): string[];
};

type Origin = { folder: string; sdkFolder: string; pluginEntry: string };

/**
 * What the bundler made, with names of files that are the same wherever the folder lies: those of
 * the author below it, `node_modules/NAME/…` for packages, `sdk/…` for the SDK.
 */
export function placedBundle(
  result: BuildResult & { metafile: Metafile },
  { folder, sdkFolder, pluginEntry }: Origin,
): Bundle {
  const { metafile } = result;
  const written = metafile.inputs;
  const named = (path: string): string => {
    const [, namespace, rest] = /^([a-z-]{3,}):(.*)$/.exec(path) ?? [];
    if (namespace !== undefined) return `${namespace}:${rest}`;
    const whole = resolve(folder, path).replaceAll('\\', '/');
    // First, because an installed cuervo and its libraries are in a `node_modules` themselves.
    const inSdk = relative(sdkFolder, whole).replaceAll('\\', '/');
    if (!inSdk.startsWith('../')) return `sdk/${inSdk}`;
    const [, inLibraries] = /^\.\.\/dist\/libraries\/(.+)$/.exec(inSdk) ?? [];
    if (inLibraries !== undefined) return `node_modules/${inLibraries}`;
    const below = relative(folder, whole).replaceAll('\\', '/');
    if (!below.startsWith('../')) return below;
    const [, inPackage] = /^.*\/node_modules\/(.+)$/.exec(whole) ?? [];
    if (inPackage !== undefined) return `node_modules/${inPackage}`;
    return `…/${whole.split('/').slice(-2).join('/')}`;
  };
  const file = (ending: string): string =>
    result.outputFiles?.find(({ path }) => path.endsWith(ending))?.text ?? '';
  let code = file('.js');
  // The bundler writes paths of files into comments and names of wrappers.
  for (const path of Object.keys(written)) {
    if (named(path) !== path) code = code.replaceAll(path, named(path));
  }
  code = code.replace(asBundlersTake, '!mod || !mod.__esModule || !("default" in mod) ?');
  code = code.replace(
    dynamicRequire,
    `throw Object.assign(Error("Cannot find module '" + x + "'"), { code: "MODULE_NOT_FOUND" })`,
  );
  const raw = JSON.parse(file('.map') || '{"version":3,"sources":[],"names":[],"mappings":""}');
  const map = {
    version: 3,
    sources: (raw.sources as string[]).map(named),
    names: [],
    mappings: raw.mappings,
  } as unknown as SourceMapPayload;

  let opened: SourceMap | undefined;
  const placeAt = (line: number, column: number): Place | undefined => {
    opened ??= new SourceMap(map);
    let found = opened.findEntry(line - 1, column - 1);
    // In front of the first one of a line stands the last one of the line before.
    if ('generatedLine' in found && found.generatedLine < line - 1) {
      found = opened.findEntry(line - 1, lineEnd);
    }
    if (!('originalSource' in found) || found.originalSource === undefined) return undefined;
    return {
      file: found.originalSource,
      line: found.originalLine + 1,
      column: found.originalColumn + 1,
    };
  };
  let starts: number[] | undefined;
  const placeOf = (offset: number): Place | undefined => {
    starts ??= lineStarts(code);
    const line = lineOf(starts, offset);
    return placeAt(line + 1, offset - (starts[line] ?? 0) + 1);
  };
  return {
    code,
    map,
    placeAt,
    placeOf,
    authored: Object.keys(written).flatMap((path) => {
      const [, kept = ''] = /^kept:(.*)$/.exec(path) ?? [];
      if (kept === '' && /^[a-z-]{3,}:/.test(path)) return [];
      const whole = resolve(folder, kept === '' ? path : kept);
      return /^(?:sdk|node_modules)\//.test(named(whole)) ? [] : [whole];
    }),
    chainTo: (wanted) => chain(written, named, named(relative(folder, pluginEntry)), wanted),
  };
}

/**
 * How the bundler takes a module of CommonJS that says it was an ES module: as one without a default
 * export. Node takes the module itself, and authors write what works there.
 */
const asBundlersTake = '!mod || !mod.__esModule ?';

/**
 * The bundler's throw for a missing module. It becomes Node's error, since packages check its code.
 */
const dynamicRequire = `throw Error('Dynamic require of "' + x + '" is not supported')`;

/** Behind all that stands on a line. */
const lineEnd = 1_000_000;

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** The last line that starts at or before the offset, from 0. */
function lineOf(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The shortest way along imports; the wanted file alone where none is known. */
function chain(
  inputs: Metafile['inputs'],
  named: (path: string) => string,
  from: string,
  wanted: string,
): string[] {
  const imports = new Map(
    Object.entries(inputs).map(([path, { imports: all }]) => [
      named(path),
      all.map((each) => named(each.path)),
    ]),
  );
  const before = new Map<string, string | undefined>([[from, undefined]]);
  for (const file of before.keys()) {
    if (file === wanted) break;
    for (const next of imports.get(file) ?? []) if (!before.has(next)) before.set(next, file);
  }
  if (!before.has(wanted)) return [wanted];
  const files: string[] = [];
  for (let at: string | undefined = wanted; at !== undefined; at = before.get(at))
    files.unshift(at);
  return files;
}
