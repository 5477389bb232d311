import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Confine } from '../contracts/confined-program.ts';
import { KernelError } from '../contracts/error.ts';
import { isExecutable } from '../lib/files/read-file.ts';
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
import { sharedLibraries } from './shared-libraries.ts';

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
