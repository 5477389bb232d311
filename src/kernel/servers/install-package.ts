import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KernelError } from '../../contracts/error.ts';
import type { HostCaller } from '../../contracts/host-service.ts';
import type { InstalledPackage } from '../../contracts/servers.ts';
import { isBelow } from '../../lib/files/paths.ts';
import { readTextIfPresent } from '../../lib/files/read-file.ts';
import { isThisMachine } from '../../lib/net/addresses.ts';
import { onAbort } from '../../lib/signals.ts';
import { escapeText } from '../../lib/text/printable.ts';
import { parseSource } from '../../packages/sources/parse-source.ts';
import { openService } from '../../programs/exec/open-service.ts';
import { parsePackageFile } from '../../servers/parse-server.ts';
import { packagesLock } from '../../servers/server-store.ts';
import { serverError } from './checked-fetch.ts';
import { createTail, type SessionPorts } from './open-session.ts';

/** For npm, from its start to its end. */
const maxInstallMs = 5 * 60_000;
const maxManifestBytes = 1024 * 1024;
const maxToldOutput = 1_000;
/** Name of the folder as npm meets it. */
const root = 'packages';

/**
 * Installs a package of npm with the machine's own npm, in the sandbox of programs: it finds the
 * folder and the registry, no other file, no variable and no token of the person's, and no script of
 * a package runs.
 *
 * @param wanted.folder empty; the caller owns it
 * @throws {KernelError} where there is no npm, no sandbox, or no server in the package
 */
export async function installPackage(
  wanted: {
    /** of the server */
    name: string;
    /** as a person typed it, `npm:NAME[@RANGE]` */
    typed: string;
    args: readonly string[];
    folder: string;
    signal: AbortSignal;
  },
  ports: Pick<SessionPorts, 'config' | 'lookUp' | 'service'>,
): Promise<InstalledPackage> {
  const { typed, folder, args } = wanted;
  const source = parseSource(typed, '/');
  if (source.kind !== 'npm') throw new Error('not a package of npm');
  const { name, range } = source;
  const registry = await registryFor(name, ports.config.environment());
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  await runNpm(wanted, { registry, spec: `${name}@${range}` }, ports);
  const file = realpathIn(folder, join('node_modules', name, 'package.json'));
  const manifest = file === undefined ? undefined : readTextIfPresent(file, maxManifestBytes);
  if (manifest === undefined) throw new KernelError('not-found', `npm did not install ${name}`);
  const { version, programs } = parsePackageFile(manifest, name);
  const program = join('node_modules', name, programOf(name, programs));
  const real = realpathIn(folder, program);
  if (real === undefined)
    throw new KernelError('not-found', `${name}@${version} does not have its program ${program}`);
  const lock = packagesLock(folder);
  if (lock === undefined) throw new KernelError('unavailable', 'npm wrote no package-lock.json');
  return {
    ...{ kind: 'package', package: name, version, registry: registry.href, lock, program },
    args: [...args],
  };
}

async function registryFor(
  name: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<URL> {
  const [{ readNpmConfig }, { registryOf }] = await Promise.all([
    import('../../packages/registry.ts'),
    import('../../packages/registry.ts'),
  ]);
  const url = registryOf(name, await readNpmConfig(env));
  if (url.protocol === 'https:' || isThisMachine(url.hostname)) return url;
  throw new KernelError('invalid-argument', `packages are not read over plain http: ${url.href}`, {
    hint: 'Name a registry with https in ~/.npmrc.',
  });
}

async function runNpm(
  { name, folder, signal }: { name: string; folder: string; signal: AbortSignal },
  { registry, spec }: { registry: URL; spec: string },
  ports: Pick<SessionPorts, 'lookUp' | 'service'>,
): Promise<void> {
  const late = AbortSignal.timeout(maxInstallMs);
  const caller: HostCaller = {
    ...{ plugin: name, digest: '' },
    signal: AbortSignal.any([signal, late]),
  };
  const scope = spec.startsWith('@') ? [`--${spec.split('/')[0]}:registry=${registry.href}`] : [];
  const args = [
    ...['install', spec, '--prefix', `${root}:`, `--registry=${registry.href}`, ...scope],
    ...['--ignore-scripts', '--omit=dev', '--no-bin-links', '--no-audit', '--no-fund'],
    ...['--no-update-notifier', '--no-progress', '--save-exact', '--loglevel=error'],
  ];
  try {
    const program = await ports.lookUp('npm', { folders: {}, cwd: `${root}:` }, caller);
    await using npm = await openService(
      {
        ...{ name: 'npm', program, args, environment: {}, folders: { [root]: folder } },
        ...{ isWritable: true, isPrivate: true, origins: [registry.origin], caller },
      },
      ports.service,
    );
    npm.input.end();
    npm.output.resume();
    const errors = createTail(maxToldOutput);
    npm.errors.on('data', errors.add);
    const forget = onAbort(caller.signal, () => void npm[Symbol.asyncDispose]());
    const how = await npm.ended.finally(forget);
    caller.signal.throwIfAborted();
    if (how === 'ended with 0') return;
    const said = escapeText(errors.take().toString('utf8').trim());
    throw new KernelError('unavailable', `npm could not install ${spec}: ${said || how}`, {
      hint: `It reaches ${registry.origin} alone, without a login; see whether it has the package.`,
    });
  } catch (thrown) {
    if (late.aborted && !signal.aborted)
      throw new KernelError(
        'deadline-exceeded',
        `npm took longer than ${maxInstallMs} ms for ${spec}`,
      );
    if (signal.aborted) throw KernelError.from(signal.reason, 'canceled');
    throw serverError(name, thrown);
  }
}

/** As `npx` chooses: the one of the package's name, or the only one. */
function programOf(name: string, programs: Readonly<Record<string, string>>): string {
  const names = Object.keys(programs);
  const [short = name] = name.split('/').slice(-1);
  const chosen = programs[short] ?? (names.length === 1 ? programs[names[0] ?? ''] : undefined);
  if (chosen !== undefined) return chosen;
  const what =
    names.length === 0
      ? 'has no program'
      : `has ${names.length} programs, and none is named ${short}: ${escapeText(names.join(', ')).slice(0, 200)}`;
  throw new KernelError('invalid-argument', `${name} ${what}`, {
    hint: 'Install it yourself, and name its command: cuervo mcp add NAME -- COMMAND',
  });
}

/** The file itself; undefined where it is missing or leads out of the folder. */
function realpathIn(folder: string, path: string): string | undefined {
  try {
    const real = realpathSync(join(folder, path));
    return isBelow(real, realpathSync(folder)) ? real : undefined;
  } catch {
    return undefined;
  }
}
