import { wrongOrigin } from '../../contracts/origin.ts';
import type { ResolveHost } from '../../http/resolve-addresses.ts';
import type { ProgramSandbox } from './find-sandbox.ts';
import { openProgramProxy } from './open-program-proxy.ts';
import type { LaunchPlan } from './plan-launch.ts';
import type { ProgramRun } from './run-launch.ts';

type NetworkUser = Pick<ProgramRun, 'program' | 'origins' | 'readOnly'> & {
  caller: Pick<ProgramRun['caller'], 'plugin' | 'note'>;
  /** how a person lets it reach an origin; a grant of the plugin where absent */
  lets?: (origin: string) => string;
};
type Ports = { resolve: ResolveHost; warn(text: string): void };

export type ProgramNetwork = Disposable & {
  network: NonNullable<LaunchPlan['network']>;
  hasRefused(): boolean;
};

/** Origins that a person reads about after one program. */
const maxToldRefusals = 3;

/**
 * The network of a program: a proxy to the origins that were granted, which also knows what it
 * refused. Without an origin it refuses everything, so that a program learns at once what it would
 * else wait for. The caller disposes it.
 *
 * @returns undefined for a program that is known to need no network
 */
export async function openProgramNetwork(
  run: NetworkUser,
  tier: ProgramSandbox,
  ports: Ports,
): Promise<ProgramNetwork | undefined> {
  const { origins, caller } = run;
  if (run.readOnly || tier.tier !== 'bubblewrap') return undefined;
  const { forwarder } = tier;
  if (forwarder === undefined && origins.length === 0) return undefined;
  if (forwarder === undefined) {
    const text = `program "${run.program}" has no network, because socat is not installed`;
    ports.warn(`${text}: ${tier.forwarderFix}`);
    return undefined;
  }
  const refused = new Set<string>();
  const proxy = await openProgramProxy({
    origins,
    resolve: ports.resolve,
    note: (call) => {
      caller.note?.(call);
      if (call.outcome === 'denied') refused.add(call.target);
    },
  });
  return {
    network: { socket: proxy.socket, forwarder, origins },
    hasRefused: () => refused.size > 0,
    [Symbol.dispose]: () => {
      proxy[Symbol.dispose]();
      for (const origin of [...refused].slice(0, maxToldRefusals)) tellRefusal(run, origin, ports);
    },
  };
}

/** How programs say that a name was not found, or that there is no network. */
const noNetwork =
  /\b(?:EAI_AGAIN|ENOTFOUND|ENETUNREACH)\b|could not resolve host|temporary failure in name resolution|name or service not known|network is unreachable|no such host/i;

/**
 * Tells a person of a program that went past the proxy and found no network, which is the sandbox's
 * doing: by what it printed, since nothing of ours saw it. No name is taken from that, for it may be
 * the words of a file.
 */
export function tellUnreached(
  { program, caller, origins, readOnly }: NetworkUser,
  { exitCode, stderr }: { exitCode?: number; stderr: string },
  { warn }: Ports,
): void {
  if (exitCode === 0 || readOnly || !noNetwork.test(stderr)) return;
  const held = origins.length === 0 ? '' : ` but ${origins.join(', ')}`;
  const said = `program "${program}" has no network${held}`;
  warn(`${said}; cuervo plugin grant ${caller.plugin} http:https://HOST lets it`);
}

/** The program's output is its own affair; the person learns how to grant the origin. */
function tellRefusal(
  { program, caller, origins, lets }: NetworkUser,
  origin: string,
  { warn }: Ports,
): void {
  if (wrongOrigin(origin) !== undefined || origins.includes(origin)) return;
  const how = lets?.(origin) ?? `cuervo plugin grant ${caller.plugin} http:${origin} lets it`;
  warn(`program "${program}" was kept from ${origin}; ${how}`);
}
