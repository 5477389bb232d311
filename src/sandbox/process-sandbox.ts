import { execFile, spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Confine } from '../contracts/confined-program.ts';
import { KernelError } from '../contracts/error.ts';
import { isExecutable, readTextIfPresent } from '../lib/files/read-file.ts';
import { writeFileWhole } from '../lib/files/write-file-whole.ts';
import { once } from '../lib/memo.ts';
import { wayOn } from '../paths/open-name.ts';
import { confineInBubblewrap, confinePlainly } from './confine-program.ts';
import {
  type Bubblewrap,
  launchBubblewrap,
  permitNamespaces,
  probeArguments,
} from './launch-bubblewrap.ts';
import { launchPlain } from './launch-plain.ts';
import type { Launch, PluginSandbox, ProcessPlace } from './plugin-sandbox.ts';
import { seccompFilter } from './seccomp-filter.ts';

/**
 * `auto`: the sandbox of the operating system where there is one. `os`: that or nothing.
 * `none`: never.
 */
export type SandboxChoice = 'auto' | 'os' | 'none';

/** Decides how plugin processes are started; one for a kernel. */
export type ProcessSandbox = {
  /** The tier in force, as far as it is known: what is installed, and what a probe said. */
  tier(): PluginSandbox;
  /**
   * Runs Node in the sandbox, and from then on knows whether that works. Only this result may lower
   * the confinement, never anything that a plugin process did.
   */
  probe(): PluginSandbox;
  /** @throws {KernelError} `unavailable` when the configuration wants a sandbox that does not exist */
  launch(place: ProcessPlace): Launch;
  /** For programs of cuervo's own, in the same tier; the first waits for a probe. */
  confine: Confine;
};

/**
 * Fixed folders, not `PATH`: a project could put its own program there, which would become the
 * sandbox.
 */
const programFolders = [
  '/usr/bin',
  '/bin',
  '/usr/local/bin',
  '/run/wrappers/bin',
  '/run/current-system/sw/bin',
];

const probeTimeoutMs = 5_000;
const installCommand = 'sudo apt-get install bubblewrap';

/**
 * @param options.home `CUERVO_HOME`, to keep what was found out of the system
 * @param options.platform as `process.platform`
 * @param options.folders where `bwrap` is looked for
 */
export function createProcessSandbox(
  choice: SandboxChoice,
  options: { home?: string; platform?: string; folders?: readonly string[] } = {},
): ProcessSandbox {
  const { home, platform = process.platform, folders = programFolders } = options;
  /** The reason for a missing sandbox, once it is known. */
  let missing: PluginSandbox | undefined;
  const wrap = once((): Bubblewrap | undefined => {
    const program = folders.map((folder) => join(folder, 'bwrap')).find(isExecutable);
    if (program === undefined) return undefined;
    const libraries = sharedLibraries(process.execPath, home);
    return { program, libraries, filter: seccompFilter(process.arch) };
  });

  const tier = (): PluginSandbox => {
    if (choice === 'none') return chosenNone;
    if (missing === undefined && platform !== 'linux') missing = noneOn(platform);
    if (missing === undefined && wrap() === undefined) missing = notInstalled;
    return missing ?? { name: 'os' };
  };

  /** The sandbox, as far as it is known to be there. */
  const usable = (): Bubblewrap | undefined => {
    const inForce = tier();
    const found = inForce.name === 'os' ? wrap() : undefined;
    if (found === undefined && choice === 'os' && inForce.name === 'process') {
      throw required(inForce);
    }
    return found;
  };

  const probing = { env: {}, cwd: '/', encoding: 'utf8', timeout: probeTimeoutMs } as const;
  const probeOnce = once(async (): Promise<void> => {
    const found = tier().name === 'os' ? wrap() : undefined;
    if (found === undefined) return;
    await new Promise<void>((resolve) => {
      execFile(found.program, probeArguments(found), probing, (error, _stdout, stderr) => {
        if (error !== null) missing = forbidden(stderr || error.message);
        resolve();
      });
    });
  });

  return {
    tier,
    probe: () => {
      const found = wrap();
      if (tier().name === 'os' && found !== undefined) {
        const ran = spawnSync(found.program, probeArguments(found), probing);
        if (ran.status !== 0) missing = forbidden(ran.error?.message ?? ran.stderr);
      }
      return tier();
    },
    launch: (place) => {
      const found = usable();
      return found === undefined
        ? launchPlain(place, wayOn(platform))
        : launchBubblewrap(found, place);
    },
    confine: async (program, firstInherited) => {
      await probeOnce();
      const found = usable();
      return found === undefined
        ? confinePlainly(program)
        : confineInBubblewrap(found, program, firstInherited);
    },
  };
}

const chosenNone: PluginSandbox = {
  name: 'process',
  reason: 'plugins.sandbox is "none" in config.toml',
  fix: 'take that line out of config.toml',
};

const notInstalled: PluginSandbox = {
  name: 'process',
  reason: 'bubblewrap is not installed',
  fix: installCommand,
};

function noneOn(platform: string): PluginSandbox {
  return { name: 'process', reason: `cuervo knows none on ${platform}` };
}

function forbidden(said: string): PluginSandbox {
  const reason = said.trim().split('\n', 1)[0]?.slice(0, 200) ?? '';
  return {
    name: 'process',
    reason: `bubblewrap is installed and could not make one (${reason})`,
    fix: permitNamespaces(),
  };
}

function required(tier: Exclude<PluginSandbox, { name: 'os' }>): KernelError {
  const message = `plugins and models run only in a sandbox of the operating system (plugins.sandbox = "os"), and there is none: ${tier.reason}`;
  const hint = tier.fix ?? 'Set plugins.sandbox to "auto" in config.toml.';
  return new KernelError('unavailable', message, { hint });
}

/** Folders of libraries on a system whose loader does not name them. */
const libraryFolders = ['/lib', '/lib64', '/usr/lib', '/usr/lib64', '/usr/local/lib'];

/** In `CUERVO_HOME`. */
const keptFile = 'libraries.json';

/** A program and its libraries, each with a mark that shows whether the file changed since. */
type Kept = { program: string; libraries: Readonly<Record<string, string>> };

/**
 * The files that a program cannot start without, asked of the loader of the system, which
 * lists them instead of running the program (ld.so(8), `LD_TRACE_LOADED_OBJECTS`). Where it
 * does not know that, as musl's, all folders with libraries.
 *
 * Asking takes some milliseconds of the start of every plugin, so what was said is kept in
 * `home` and holds as long as the program and each of its libraries are the same files.
 *
 * @param home `CUERVO_HOME`; without it nothing is kept
 * @returns absolute paths, as the loader will look for them
 */
export function sharedLibraries(program: string, home?: string): string[] {
  const file = home === undefined ? undefined : join(home, keptFile);
  const kept = file === undefined ? undefined : keptIn(file);
  if (kept !== undefined && kept.program === identityOf(program)) {
    const libraries = Object.entries(kept.libraries);
    if (libraries.every(([path, identity]) => identityOf(path) === identity))
      return libraries.map(([path]) => path);
  }
  const listed = askLoader(program);
  if (listed.length === 0) return libraryFolders.filter((folder) => existsSync(folder));
  if (file !== undefined) keep(file, program, listed);
  return listed;
}

function askLoader(program: string): string[] {
  const { stdout } = spawnSync(program, ['--version'], {
    env: { LD_TRACE_LOADED_OBJECTS: '1' },
    cwd: '/',
    encoding: 'utf8',
    timeout: 5_000,
  });
  return (stdout ?? '').split('\n').flatMap((line) => {
    const [, path] = /^\t(?:\S+ => )?(\/\S+) \(0x[0-9a-f]+\)$/.exec(line) ?? [];
    return path === undefined ? [] : [path];
  });
}

/** Undefined for what is not a file; a file that was written to or replaced has another one. */
function identityOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (found === undefined || !found.isFile()) return undefined;
  return [path, found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ');
}

function keptIn(file: string): Kept | undefined {
  try {
    const kept = JSON.parse(readTextIfPresent(file) ?? 'null') as Partial<Kept> | null;
    const { program, libraries } = kept ?? {};
    if (typeof program !== 'string' || typeof libraries !== 'object') return undefined;
    return libraries === null || Object.keys(libraries).length === 0
      ? undefined
      : { program, libraries };
  } catch {
    // Ignored: a damaged file only means that the loader is asked again.
    return undefined;
  }
}

function keep(file: string, program: string, listed: readonly string[]): void {
  const libraries = Object.fromEntries(listed.map((path) => [path, identityOf(path)]));
  if (Object.values(libraries).includes(undefined)) return;
  try {
    const kept = { program: identityOf(program), libraries };
    writeFileWhole(file, `${JSON.stringify(kept)}\n`, { flush: false });
  } catch {
    // A home that is not there yet, or that is read-only: the loader is asked again.
  }
}
