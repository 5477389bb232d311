import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { BuildOptions, Plugin as EsbuildPlugin, Message } from 'esbuild';
import { capabilityNames } from '../gen/capabilities.ts';
import {
  type AbsentFiles,
  noExport,
  noteAbsent,
  undefinedName,
  withoutAbsent,
} from './absent-files.ts';
import { BuildError } from './build-error.ts';
import { keptFiles } from './kept-files.ts';
import type { LoadTool } from './load-tool.ts';
import { bundleNodeModules } from './node-modules.ts';
import { openOtherEntries, packageOf, packagesOfScripts } from './other-entries.ts';
import { outsidePackages, outsideProject } from './outside-packages.ts';
import { type Bundle, placedBundle } from './placed-bundle.ts';
import { requireAgain } from './require-again.ts';

const hostPrefix = 'cuervo:host/';

export type BundleOptions = {
  /** folder with `plugin.ts` or `plugin.js` */
  folder: string;
  /** folder of the author, where `folder` holds a copy of a file there */
  origin?: string | undefined;
  /** folder of the SDK's sources */
  sdkFolder: string;
  load: LoadTool;
  /** source of the entry; it imports `cuervo:plugin-entry` and the SDK by its files */
  entry: string;
  /** capabilities that may be imported; undefined replaces the host by stubs that throw */
  capabilities: ReadonlySet<string> | undefined;
  /** packages that are taken as Node takes them, and not as a browser does */
  plainPackages?: ReadonlySet<string>;
  /** files that make `require` for themselves, as `Place` names them */
  requiringFiles?: ReadonlySet<string>;
};

/**
 * One ES module of the plugin, the SDK and their libraries, without the host interfaces.
 *
 * @throws {BuildError} for a syntax error or a missing module
 */
export async function bundlePlugin(options: BundleOptions): Promise<Bundle> {
  const absent: AbsentFiles = {
    partial: new Set(options.plainPackages),
    modules: new Set(),
    files: new Set(),
  };
  for (;;) {
    const before = countOf(absent);
    const found = await bundleOnce(options, absent);
    if (!Array.isArray(found)) return found;
    for (const message of found) noteAbsent(message, absent, options.folder);
    if (countOf(absent) > before) continue;
    throw new BuildError(found.slice(0, 5).map(formatMessage).join('; '));
  }
}

const countOf = ({ partial, modules, files }: AbsentFiles): number =>
  partial.size + modules.size + files.size;

/** Messages in place of a bundle are errors, or tell of a package to be taken otherwise. */
async function bundleOnce(
  options: BundleOptions,
  absent: AbsentFiles,
): Promise<Bundle | Message[]> {
  // Asked here and not by the bundler, which would tell of a line of its own.
  const pluginEntry = findEntry(options.folder);
  const { build } = await options.load<typeof import('esbuild')>('esbuild');
  const common = {
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    // An installed cuervo has the libraries of the SDK there.
    nodePaths: [join(options.sdkFolder, '../dist/libraries')],
    target: 'es2023',
    legalComments: 'none',
    logLevel: 'silent',
    absWorkingDir: options.folder,
  } satisfies BuildOptions;
  await using plain = await openOtherEntries(build, common, absent.partial);
  try {
    const result = await build({
      ...common,
      stdin: { contents: options.entry, resolveDir: options.sdkFolder, loader: 'ts' },
      mainFields: ['browser', 'module', 'main'],
      conditions: ['browser', 'module'],
      define: { [nodeEnv]: '"production"', ...noPlace, ...noLoader },
      sourcemap: 'external',
      sourcesContent: false,
      metafile: true,
      outfile: join(options.folder, 'plugin-bundle.js'),
      plugins: [withoutAbsent(absent), plain.plugin, resolveModules(options, pluginEntry)],
    });
    const mistyped = result.warnings.map((each) => mistypedName(each, options));
    const [mistake] = mistyped.filter((each) => each !== undefined);
    if (mistake !== undefined) throw new BuildError(mistake);
    const undefinedReads = result.warnings.filter(({ text }) => {
      const [, , file = ''] = noExport.exec(text) ?? [];
      const owner = packageOf(resolve(options.folder, file));
      return owner !== undefined && !absent.partial.has(owner);
    });
    if (undefinedReads.length > 0) return undefinedReads;
    const ofScripts = packagesOfScripts(result.metafile, options.folder);
    if (ofScripts.some((name) => !absent.partial.has(name))) {
      for (const name of ofScripts) absent.partial.add(name);
      return [];
    }
    const outside =
      outsidePackages(result.metafile, options) ?? outsideProject(result.metafile, options);
    if (outside !== undefined) throw new BuildError(outside);
    return placedBundle(result, { ...options, pluginEntry });
  } catch (thrown) {
    const errors = (thrown as { errors?: Message[] }).errors;
    if (errors === undefined) throw thrown;
    return errors;
  }
}

/** A name that an author reads of a namespace of the SDK, such as `v` or `fs`, which lacks it. */
function mistypedName(
  { text, location }: Message,
  { folder, sdkFolder }: BundleOptions,
): string | undefined {
  const [, name = '', file = ''] = undefinedName.exec(text) ?? [];
  if (location === null || packageOf(resolve(folder, location.file)) !== undefined)
    return undefined;
  const lacking = resolve(folder, file).replaceAll('\\', '/');
  const isValibot = /\/(?:node_modules|libraries)\/valibot\//.test(lacking);
  if (!isValibot && !lacking.startsWith(join(sdkFolder, 'host'))) return undefined;
  const owner = isValibot ? 'v (valibot)' : lacking.replace(/^.*\/|\.ts$/g, '');
  return `${relative('.', resolve(folder, location.file))}:${location.line}: ${owner} has no "${name}"`;
}

/** What packages ask to leave out what only development needs. */
const nodeEnv = ['process', 'env', 'NODE_ENV'].join('.');

/** Where a module lies; it was read when the plugin was built. */
const noPlace = {
  'import.meta': '{ "url": "file:///plugin.js", "filename": "/plugin.js", "dirname": "/" }',
  'import.meta.url': '"file:///plugin.js"',
  'import.meta.filename': '"/plugin.js"',
  'import.meta.dirname': '"/"',
};

/** What packages add to or look at in a loader of modules, which is not there any more. */
const noLoader = { 'require.extensions': '{}', 'require.cache': '{}' };

/** The file an author writes. @throws {BuildError} when the folder has none */
function findEntry(folder: string): string {
  const file = ['plugin.ts', 'plugin.js'].map((name) => join(folder, name)).find(isFile);
  if (file !== undefined) return file;
  if (isFile(folder)) {
    throw new BuildError(`${relative('.', folder)} is a file: name the folder that holds it`);
  }
  const what = existsSync(folder) ? 'has no plugin.ts or plugin.js' : 'does not exist';
  throw new BuildError(`the folder ${relative('.', folder) || folder} ${what}`);
}

/** Only files are opened: a pipe would be waited for. */
function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

function resolveModules(options: BundleOptions, pluginEntry: string): EsbuildPlugin {
  return {
    name: 'cuervo-modules',
    setup: (build) => {
      build.onResolve({ filter: /^cuervo:plugin-entry$/ }, () => ({ path: pluginEntry }));
      build.onResolve({ filter: /^@cuervo\/sdk$/ }, () => ({
        path: join(options.sdkFolder, 'index.ts'),
        sideEffects: false,
      }));
      build.onResolve(
        { filter: new RegExp(`^@cuervo/sdk/(?:${capabilityNames.join('|')})$`) },
        (found) => ({
          path: join(options.sdkFolder, 'host', `${found.path.split('/').at(-1)}.ts`),
          sideEffects: false,
        }),
      );
      build.onLoad({ filter: /\.[jt]s$/ }, (found) =>
        found.path.startsWith(options.folder) && packageOf(found.path) === undefined
          ? loadAuthored(found.path)
          : undefined,
      );
      const { requiringFiles = new Set() } = options;
      if (requiringFiles.size > 0) {
        const names = [...requiringFiles].map((name) => RegExp.escape(name)).join('|');
        build.onLoad(
          { filter: new RegExp(`(?:${names.replaceAll('\\/', '[\\\\/]')})$`) },
          ({ path }) => ({
            contents: requireAgain(readFileSync(path, 'utf8')),
            loader: /\.[cm]?ts$/.test(path) ? 'ts' : 'js',
          }),
        );
      }
      build.onResolve({ filter: /^valibot$/ }, (found) =>
        // The plugin's own copy where it has one, else the one that the SDK brings.
        found.pluginData === 'again' || found.resolveDir.startsWith(options.sdkFolder)
          ? undefined
          : build
              .resolve('valibot', {
                kind: found.kind,
                resolveDir: found.resolveDir,
                pluginData: 'again',
              })
              .then((own) =>
                own.errors.length === 0
                  ? own
                  : build.resolve('valibot', {
                      kind: found.kind,
                      resolveDir: options.sdkFolder,
                      pluginData: 'again',
                    }),
              ),
      );
      build.onResolve({ filter: /^cuervo:host\// }, (found) => resolveHost(found.path, options));
      bundleNodeModules(build, options.sdkFolder);
      keptFiles(build, options.folder, options.sdkFolder);
      build.onLoad({ filter: /.*/, namespace: 'absent-host' }, (found) => ({
        // The bundler copies what a module has of its own, and keeps where it inherits from.
        contents:
          'module.exports = Object.create(new Proxy({}, { get: (_, name) => () => { throw new Error("the host call " + String(name) + " at the top level of the plugin: host calls work only in run"); } }));',
        loader: 'js',
        pluginName: found.path,
      }));
    },
  };
}

/**
 * A file of the author, its named imports of the SDK's namespaces (`fs`, `v`, …) turned
 * into imports of the modules themselves: only then does the bundler drop what is not
 * used, which is 1.4 MB of component. Line numbers stay.
 */
function loadAuthored(path: string): { contents: string; loader: 'ts' | 'js' } {
  const source = readFileSync(path, 'utf8');
  const imports = importsAtTop.exec(source)?.[0] ?? '';
  const head = imports.replace(
    /^import\s*\{([^}]*)\}\s*from\s*(['"])@cuervo\/sdk\2/gm,
    (_, names: string) => {
      const all = names
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean);
      const spaces = all.filter((name) => namespaceModule(name) !== undefined);
      const rest = all.filter((name) => !spaces.includes(name));
      const lines = names.split('\n').length - 1;
      return [
        `import { ${rest.join(', ')} } from '@cuervo/sdk'`,
        ...spaces.map(
          (name) => `import * as ${name.split(/\s+as\s+/).at(-1)} from '${namespaceModule(name)}'`,
        ),
      ]
        .join('; ')
        .concat('\n'.repeat(lines));
    },
  );
  const contents = requireAgain(head + source.slice(imports.length));
  return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' };
}

/** Comments and imports; further below, a line that looks like an import may be of a text. */
const importsAtTop =
  /^(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/|import\s(?:\/\/[^\n]*|\/\*[\s\S]*?\*\/|[^'"])*(['"])[^'"]*\1\s*;?)*/;

function namespaceModule(name: string): string | undefined {
  const original = name.split(/\s+as\s+/)[0];
  if (original === 'v') return 'valibot';
  const capability = capabilityNames.find((known) => namespaceOf(known) === original);
  return capability === undefined ? undefined : `@cuervo/sdk/${capability}`;
}

/** `fs-write` as the SDK exports it: `fsWrite`. */
function namespaceOf(capability: string): string {
  return capability.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function resolveHost(
  path: string,
  options: BundleOptions,
): { path: string; external?: boolean; sideEffects?: boolean; namespace?: string } {
  const capability = path.slice(hostPrefix.length).replace(/@.*$/, '');
  if (options.capabilities === undefined || capability === 'types') {
    return { path, namespace: 'absent-host', sideEffects: false };
  }
  // An import of what is not wanted is only dropped when nothing uses it; see `checkImports`.
  return { path, external: true, sideEffects: false };
}

/**
 * @throws {BuildError} when the bundle uses a host interface that `wants` does not name
 */
export function checkImports(bundle: string, capabilities: ReadonlySet<string>): void {
  const used = [...bundle.matchAll(/from\s*["']cuervo:host\/([a-z-]+)@/g)].map((match) => match[1]);
  const unwanted = used.find((name) => name !== undefined && !capabilities.has(name));
  if (unwanted === undefined) return;
  throw new BuildError(
    `the plugin uses ${unwanted} but does not declare it: add { capability: '${unwanted}', why: '…' } to "wants"`,
  );
}

function formatMessage(message: Message): string {
  const where = message.location;
  const place = where === null ? '' : `${relative('.', where.file)}:${where.line}: `;
  return `${place}${message.text}`;
}
