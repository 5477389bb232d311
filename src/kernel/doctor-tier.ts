import { existsSync } from 'node:fs';
import { findHome, loadConfig } from '../config/load-config.ts';
import { wayOn } from '../host/below/open-name.ts';
import { createProcessSandbox } from '../host/tier/process-sandbox.ts';
import { describeProcessTier } from '../host/tier/tier.ts';
import type { Finding } from './doctor-finding.ts';

/**
 * Starts Node as plugins are started, and tells what they are confined by.
 *
 * @param env of the process, for what `loadConfig` reads
 */
export function checkTier(env: Readonly<Record<string, string | undefined>>): Finding {
  const sandbox = createProcessSandbox(settingOf(env));
  const tier = sandbox.probe();
  const name = 'plugin sandbox';
  const finding = `plugins are confined by ${describeProcessTier(tier)}`;
  if (tier.name === 'os') return { name, status: 'ok', finding };
  return {
    name,
    status: 'warn',
    finding,
    ...(tier.fix === undefined ? {} : { fix: tier.fix }),
  };
}

/**
 * How files below a granted folder are reached, and what that leaves open.
 *
 * @param platform as `process.platform`
 * @param descriptors the folder in which Linux lists what a process has open
 */
export function checkPaths(platform: string, descriptors = '/proc/self/fd'): Finding {
  const name = 'paths';
  if (wayOn(platform) === 'path') {
    const finding = `${platform} looks no name up in a folder that is open: paths are checked before and behind each step, and a program that swaps a folder for a link between the two may go unnoticed`;
    return { name, status: 'warn', finding, fix: 'run cuervo on Linux, in WSL 2 for instance' };
  }
  if (existsSync(descriptors)) {
    const finding = 'each name is looked up in the folder that is open, whatever is swapped in';
    return { name, status: 'ok', finding };
  }
  const finding = `${descriptors} is not there, so no plugin reads or writes a file`;
  return { name, status: 'fail', finding, fix: 'mount -t proc proc /proc' };
}

/** A configuration that cannot be read has a finding of its own. */
function settingOf(env: Readonly<Record<string, string | undefined>>) {
  try {
    return loadConfig({ home: findHome(undefined, env) }, env).pluginSandbox;
  } catch {
    return 'auto';
  }
}
