import type { Config } from '../../contracts/config.ts';
import type { ConsentEffect } from '../../contracts/consent.ts';
import type { ProgramSandbox, UsableSandbox } from './find-sandbox.ts';

/** The confinement of an allowed effect, in one line for the person who is asked. */
export async function effectSandbox(
  effect: ConsentEffect,
  config: Pick<Config, 'workFolder'>,
  programSandbox: () => Promise<UsableSandbox>,
): Promise<string> {
  const { capability } = effect;
  if (capability === 'fs-write' && config.workFolder !== undefined) {
    return 'only a copy of this root; nothing changes before cuervo apply';
  }
  if (capability === 'fs-write') return 'only this root; the old content is kept for undo';
  if (capability === 'http')
    return 'only this origin; cuervo asks before a redirect to another one';
  if (effect.capability === 'call' && effect.at !== undefined)
    return 'nothing on this machine; only this origin gets the call';
  const sandbox = await programSandbox();
  if (sandbox.tier === 'bubblewrap') {
    if (effect.capability === 'call' && !effect.isWriting)
      return `bubblewrap: it reads only the granted roots and ${reachOf(effect.origins, sandbox)}`;
    const copyOf = config.workFolder === undefined ? '' : 'a copy of ';
    const origins = 'origins' in effect ? (effect.origins ?? []) : [];
    return `bubblewrap: it writes only below ${copyOf}the granted roots and ${reachOf(origins, sandbox)}`;
  }
  if (sandbox.tier === 'seatbelt')
    return 'Seatbelt: it writes only below the granted roots and has no network';
  return 'NOTHING: config.toml says exec.sandbox = "none"';
}

function reachOf(
  origins: readonly string[],
  { forwarder, forwarderFix }: Extract<ProgramSandbox, { tier: 'bubblewrap' }>,
): string {
  if (origins.length === 0) return 'has no network';
  if (forwarder !== undefined) return 'reaches only the origins above';
  return `has no network, because socat is not installed: ${forwarderFix}`;
}
