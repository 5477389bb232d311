import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ServiceError } from '../../contracts/host-service.ts';
import { permitNamespaces } from '../../sandbox/launch-bubblewrap.ts';
import type { BwrapFeatures } from './bwrap-arguments.ts';
import { findProgram } from './find-program.ts';
import { trySeatbelt } from './seatbelt.ts';

export type ProgramSandbox =
  | {
      tier: 'bubblewrap';
      bwrap: string;
      features: BwrapFeatures;
      /** absolute path of `socat`, without which no program talks to anybody */
      forwarder?: string;
      /** the command that brings it */
      forwarderFix: string;
    }
  /** that of macOS */
  | { tier: 'seatbelt'; sandboxExec: string }
  /** a person wrote so into the configuration */
  | { tier: 'none' }
  /** programs are refused */
  | { tier: 'missing'; reason: string; fix: string };

/** a sandbox that programs run in, or a person's word that they need none */
export type UsableSandbox = Exclude<ProgramSandbox, { tier: 'missing' }>;

const probeTimeoutMs = 10_000;

/** Commands that bring a package. */
const installers: readonly (readonly [string, string])[] = [
  ['apt-get', 'sudo apt-get install'],
  ['dnf', 'sudo dnf install'],
  ['pacman', 'sudo pacman -S'],
  ['apk', 'sudo apk add'],
  ['zypper', 'sudo zypper install'],
];

/**
 * Looks for the sandbox of the operating system and tries it: installed is not enough, many
 * systems forbid it to make namespaces.
 *
 * @param setting `exec.sandbox`; with `none` nothing is looked for
 */
export async function findSandbox(
  setting: 'os' | 'none',
  platform: string = process.platform,
  find: (name: string) => string | undefined = findTool,
): Promise<ProgramSandbox> {
  if (setting === 'none') return { tier: 'none' };
  if (platform === 'darwin') return await findSeatbelt(find);
  if (platform !== 'linux') {
    const reason = `${platform} has none that cuervo knows how to use`;
    return {
      tier: 'missing',
      reason,
      fix: 'run cuervo on Linux, in WSL 2 or a virtual machine for instance',
    };
  }
  const bwrap = find('bwrap');
  if (bwrap === undefined) {
    return {
      tier: 'missing',
      reason: 'bubblewrap is not installed',
      fix: installing('bubblewrap', find),
    };
  }
  try {
    const [help] = await Promise.all([
      run(bwrap, ['--help']),
      run(bwrap, ['--unshare-all', '--unshare-user', '--ro-bind', '/', '/', '/bin/sh', '-c', ':']),
    ]);
    const forwarder = find('socat');
    return {
      tier: 'bubblewrap',
      bwrap,
      features: featuresOf(help),
      ...(forwarder === undefined ? {} : { forwarder }),
      forwarderFix: installing('socat', find),
    };
  } catch {
    const reason = 'bubblewrap is installed but cannot make a sandbox here';
    return { tier: 'missing', reason, fix: permitNamespaces() };
  }
}

/** @throws {ServiceError} `denied` with the command that brings a sandbox */
export function usableSandbox(found: ProgramSandbox): UsableSandbox {
  if (found.tier !== 'missing') return found;
  const text = `programs run in the sandbox of the operating system only, and ${found.reason}: ${found.fix}`;
  const wayRound =
    'Do so, and look at it with: cuervo doctor. Where that cannot be: sandbox = "none" under [exec] in config.toml runs programs without walls, each after a question or a grant.';
  throw new ServiceError('denied', text, '', wayRound);
}

async function findSeatbelt(find: (name: string) => string | undefined): Promise<ProgramSandbox> {
  const sandboxExec = find('sandbox-exec');
  const fix = 'run cuervo on Linux, in a virtual machine for instance';
  if (sandboxExec === undefined)
    return { tier: 'missing', reason: 'sandbox-exec is missing, which is part of macOS', fix };
  const reason = await trySeatbelt(sandboxExec, run);
  return reason === undefined
    ? { tier: 'seatbelt', sandboxExec }
    : { tier: 'missing', reason, fix };
}

/** The command that installs it with this system's package manager. */
function installing(name: string, find: (name: string) => string | undefined): string {
  const command = installers.find(([packager]) => find(packager) !== undefined)?.[1];
  return `${command ?? 'install'} ${name}`;
}

/** By the options that its help lists: systems bring old versions with newer options. */
export function featuresOf(help: string): BwrapFeatures {
  const has = (option: string): boolean => new RegExp(`^\\s*${option}\\s`, 'm').test(help);
  return { disableUserns: has('--disable-userns'), size: has('--size'), bindFd: has('--bind-fd') };
}

function findTool(name: string): string | undefined {
  try {
    return findProgram(name, []).path;
  } catch {
    return undefined;
  }
}

async function run(program: string, args: readonly string[]): Promise<string> {
  const options = { timeout: probeTimeoutMs, env: {}, cwd: '/' };
  return (await promisify(execFile)(program, args, options)).stdout;
}
