import { findHome, loadConfig } from '../config/load-config.ts';
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

/** A configuration that cannot be read has a finding of its own. */
function settingOf(env: Readonly<Record<string, string | undefined>>) {
  try {
    return loadConfig({ home: findHome(undefined, env) }, env).pluginSandbox;
  } catch {
    return 'auto';
  }
}
