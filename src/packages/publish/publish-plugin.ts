import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { KernelError } from '../../contracts/error.ts';
import type { InspectReport, PublishedTarget } from '../../contracts/output/parse-plugin-output.ts';
import { sha256 } from '../../lib/sha256.ts';
import { shellWord } from '../../lib/text/escape.ts';
import type { AcquiredPlugin } from '../sources/acquire-plugin.ts';
import { newerSource } from '../sources/file-source.ts';
import type { OciPorts } from '../sources/oci-registry.ts';
import { type PluginSource, parseSource } from '../sources/parse-source.ts';
import {
  checkPackageName,
  npmPackage,
  type Publishable,
  parseRepository,
} from './parse-package.ts';
import type { PluginLanguage } from './workflow.ts';

export type PublishRequest = {
  signal: AbortSignal;
  /** `npm:NAME` and `oci://REGISTRY/NAME`; `npm` alone for a package of the plugin's name */
  targets: readonly string[];
  dryRun: boolean;
  /** its page; without it the README.md beside it */
  page?: string;
  repository?: string;
  /** time that artifacts carry, in ms since the epoch; default: the time of the file */
  createdMs: number | undefined;
  /** more arguments for npm */
  npmArgs: readonly string[];
  /** gets what would be published; nothing is published unless it returns true */
  consent(targets: readonly PublishedTarget[], notes: readonly string[]): Promise<boolean>;
};

type PublishPorts = {
  acquired: AcquiredPlugin;
  report: InspectReport;
  /** folder that was named, where it was one */
  folder: string | undefined;
  oci(): Promise<OciPorts>;
  environment: Readonly<Record<string, string | undefined>>;
};

type Target =
  | { kind: 'npm'; name: string }
  | (Extract<PluginSource, { kind: 'oci' }> & { tag: string | undefined });

/**
 * Publishes one plugin to every target, after showing exactly what would go out.
 *
 * @throws {KernelError} `plugin-fault` for what `install` would refuse
 */
export async function publishPlugin(
  request: PublishRequest,
  ports: PublishPorts,
): Promise<PublishedTarget[]> {
  const { report, acquired } = ports;
  if (report.verdict !== 'installable' || report.name === undefined || report.derived) {
    const why = report.derived
      ? 'it has no manifest: no name, no version'
      : report.reasons.join('; ');
    throw new KernelError('plugin-fault', `${acquired.shown} is not published: ${why}`, {
      hint: `See all of it with: cuervo plugin inspect ${shellWord(acquired.shown)}`,
    });
  }
  if (ports.folder !== undefined) requireBuilt(ports.folder, acquired);
  const plugin = publishable(request, ports);
  const targets = request.targets.map((typed) => parseTarget(typed, plugin.name));
  const { ociArtifact, pushOci } = await import('./oci-artifact.ts');
  // The same time as in a dry run; a plugin from an address has none, so 0.
  const file = statSync(acquired.resolved, { throwIfNoEntry: false });
  const created = new Date(request.createdMs ?? file?.mtimeMs ?? 0);
  const prepared = targets.map((target) => {
    if (target.kind === 'npm')
      return { target, files: npmPackage(plugin, target.name), artifact: undefined };
    const artifact = ociArtifact(plugin, created, target.tag);
    const files = new Map([
      ['config.json', artifact.config],
      [`${plugin.name}.wasm`, plugin.bytes],
      ['manifest.json', artifact.manifest],
    ]);
    return { target, files, artifact };
  });
  const told = prepared.map(
    ({ target, files, artifact }): PublishedTarget => ({
      target: target.kind === 'npm' ? `npm:${target.name}@${plugin.version}` : target.text,
      files: [...files].map(([name, bytes]) => ({
        name,
        bytes: bytes.byteLength,
        sha256: sha256(bytes),
      })),
      text: (artifact?.manifest ?? files.get('package.json') ?? '').toString(),
      ...(artifact === undefined
        ? { command: ['npm', ...npmWords(request)] }
        : { digest: artifact.digest, tags: artifact.tags }),
    }),
  );
  if (request.dryRun) return told;
  if (!(await request.consent(told, notesOf(plugin, targets)))) {
    throw new KernelError('canceled', 'nothing was published');
  }
  for (const { target, files, artifact } of prepared) {
    if (target.kind === 'npm') await publishWithNpm(files, request, ports.environment);
    else if (artifact !== undefined) await pushOci(plugin, artifact, target, await ports.oci());
  }
  return told;
}

/** Publishes the built file only if it is newer than the sources. */
function requireBuilt(folder: string, { resolved: file, shown }: AcquiredPlugin): void {
  const changed = newerSource(folder, file);
  if (changed === undefined) return;
  throw new KernelError('conflict', `${changed} is newer than ${relative(folder, file)}`, {
    hint: `Build it first: cuervo plugin build ${shellWord(shown)}`,
  });
}

/** Notes for the author on what is missing. */
function notesOf(
  plugin: Pick<Publishable, 'licence' | 'beside' | 'repository'>,
  targets: readonly Target[],
): string[] {
  const isForNpm = targets.some(({ kind }) => kind === 'npm');
  return [
    ...(plugin.licence === undefined
      ? ['It names no licence: who uses it does not know whether they may.']
      : []),
    ...(plugin.beside.has('README.md')
      ? []
      : ['It has no page: put a README.md beside it, or name one with --page.']),
    ...(isForNpm && plugin.repository === undefined
      ? ['It names no repository; npm gives provenance only to a package that does (--repository).']
      : []),
  ];
}

function publishable(
  { page, repository }: PublishRequest,
  { acquired, report, folder }: PublishPorts,
): Publishable {
  const { name = '', version = '', description = '', licence, homepage } = report;
  const beside = new Map<string, Buffer>();
  const place = folder ?? dirname(acquired.source);
  // If the file lies in `dist`, search the folder above, too.
  const places = [place, ...(place.endsWith('/dist') ? [dirname(place)] : [])];
  const find = (file: string): string | undefined => {
    const found = places
      .map((each) => join(each, file))
      .find((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
    if (found !== undefined) requireNamedSo(found);
    return found;
  };
  const readme = page ?? find('README.md');
  if (page !== undefined && !existsSync(page)) {
    throw new KernelError('not-found', `there is no page ${page}`, {
      hint: 'Name a Markdown file: --page README.md',
    });
  }
  if (readme !== undefined) beside.set('README.md', readFileSync(readme));
  const licenceFile = ['LICENSE', 'LICENCE', 'LICENSE.md']
    .map(find)
    .find((path) => path !== undefined);
  if (licenceFile !== undefined) beside.set('LICENSE', readFileSync(licenceFile));
  for (const suffix of ['.sig', '.sigstore.json']) {
    const path = `${acquired.resolved}${suffix}`;
    if (!existsSync(path)) continue;
    requireNamedSo(path);
    beside.set(`${name}.wasm${suffix}`, readFileSync(path));
  }
  const packageJson = find('package.json');
  const from =
    repository ??
    (packageJson === undefined ? undefined : parseRepository(readFileSync(packageJson)));
  return {
    ...{ name, version, description, beside, bytes: acquired.bytes },
    ...{ imports: report.imports, exports: report.exports },
    kind: report.kind === 'module' ? 'module' : 'component',
    ...(licence === undefined ? {} : { licence }),
    ...(homepage === undefined ? {} : { homepage }),
    ...(from === undefined ? {} : { repository: from }),
  };
}

/**
 * Refuses a link that could publish another file of this machine. A page or licence that packages
 * of one repository share must have the same name there.
 *
 * @throws {KernelError} `invalid-argument`
 */
function requireNamedSo(path: string): void {
  const real = realpathSync(path);
  if (basename(real) === basename(path)) return;
  throw new KernelError(
    'invalid-argument',
    `${path} is a link to ${real}, which is not published`,
    {
      hint: 'Put the file itself there, or remove the link.',
    },
  );
}

function parseTarget(typed: string, plugin: string): Target {
  if (typed === 'npm') return { kind: 'npm', name: plugin };
  if (typed.startsWith('npm:')) return { kind: 'npm', name: checkPackageName(typed.slice(4)) };
  const source = typed.startsWith('oci:') ? parseSource(typed, '/') : undefined;
  if (source?.kind === 'oci') {
    const tag = /:([^/:@]+)$/.exec(typed.replace(/^oci:\/\/[^/]*/, ''))?.[1];
    return { ...source, text: `oci://${source.registry}/${source.repository}`, tag };
  }
  throw new KernelError(
    'invalid-argument',
    `${JSON.stringify(typed)} is not where plugins are published`,
    {
      hint: 'Name npm, npm:PACKAGE or oci://REGISTRY/NAME. For any other server, put the file there.',
    },
  );
}

/** The folder in which a plugin was built, if one was named; its page is there. */
export function folderOf(source: string): string | undefined {
  return statSync(source, { throwIfNoEntry: false })?.isDirectory() ? resolve(source) : undefined;
}

export async function workflowFor(
  name: string,
  source: string,
  options: {
    targets: readonly string[];
    languageOf(folder: string): PluginLanguage | undefined;
  },
): Promise<string> {
  const { targets, languageOf } = options;
  const { publishWorkflow } = await import('./workflow.ts');
  const parsed = targets.map((typed) => parseTarget(typed, name));
  const npm = parsed.find((target) => target.kind === 'npm');
  const oci = parsed.find((target) => target.kind === 'oci');
  const place = resolve(folderOf(source) ?? dirname(source));
  const folder = basename(place) === 'dist' ? dirname(place) : place;
  return publishWorkflow({
    name,
    folder: placeInRepository(folder),
    language: existsSync(join(folder, 'plugin.toml')) ? languageOf(folder) : undefined,
    ...(npm === undefined ? {} : { npm: npm.name }),
    ...(oci === undefined ? {} : { oci }),
  });
}

/** The path of a folder in its repository; `.` for a folder outside of one. */
function placeInRepository(folder: string): string {
  for (let root = folder; ; root = dirname(root)) {
    if (existsSync(join(root, '.git'))) return relative(root, folder) || '.';
    if (root === dirname(root)) return '.';
  }
}

function npmWords({ npmArgs }: Pick<PublishRequest, 'npmArgs'>): string[] {
  return ['publish', '.', '--ignore-scripts', ...npmArgs];
}

/** By the person's own npm, which knows their registry, login and second factor. */
async function publishWithNpm(
  files: ReadonlyMap<string, Buffer>,
  request: PublishRequest,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'cuervo-publish-'));
  try {
    for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes);
    const child = spawn('npm', npmWords(request), {
      cwd: folder,
      env: { ...environment },
      // Messages and questions of npm go to the person; standard output is ours.
      stdio: ['inherit', 2, 2],
      signal: request.signal,
    });
    const code = await new Promise<number | null>((done, failed) => {
      child.once('error', failed);
      child.once('close', done);
    }).catch((thrown: unknown) => {
      if (request.signal.aborted) throw KernelError.from(request.signal.reason, 'canceled');
      throw new KernelError('unavailable', 'there is no npm to publish with', {
        cause: thrown,
        hint: 'Install Node with npm: https://nodejs.org',
      });
    });
    if (code === 0) return;
    throw new KernelError('unavailable', `npm publish ended with ${code}; its output is above`, {
      hint: 'Log in with: npm login; for a version that is there already, raise "version" and build again',
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
