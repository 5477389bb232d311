import { wrongOrigin } from '../../contracts/origin.ts';
import type { ResolveHost } from '../../http/resolve-addresses.ts';
import type { ProgramSandbox } from './find-sandbox.ts';
import { openProgramProxy } from './open-program-proxy.ts';
import type { LaunchPlan } from './plan-launch.ts';
import type { ProgramRun } from './run-launch.ts';

type NetworkUser = Pick<ProgramRun, 'program' | 'origins' | 'readOnly'> & {
  caller: Pick<ProgramRun['caller'], 'plugin' | 'note'>;
};
type Ports = { resolve: ResolveHost; warn(text: string): void };

/** Origins that a person reads about after one program. */
const maxToldRefusals = 3;

/**
 * The network of a program: a proxy to the origins that were granted. The caller disposes it.
 *
 * @returns undefined for a program that was granted no origin, or is known to need none
 */
export async function openProgramNetwork(
  run: NetworkUser,
  tier: ProgramSandbox,
  ports: Ports,
): Promise<(Disposable & { network: NonNullable<LaunchPlan['network']> }) | undefined> {
  const { origins, caller } = run;
  if (origins.length === 0 || run.readOnly || tier.tier !== 'bubblewrap') return undefined;
  const { forwarder } = tier;
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
    [Symbol.dispose]: () => {
      proxy[Symbol.dispose]();
      for (const origin of [...refused].slice(0, maxToldRefusals)) tellRefusal(run, origin, ports);
    },
  };
}

/** The program's output is its own affair; the person learns how to grant the origin. */
function tellRefusal(
  { program, caller, origins }: NetworkUser,
  origin: string,
  { warn }: Ports,
): void {
  if (wrongOrigin(origin) !== undefined || origins.includes(origin)) return;
  const text = `program "${program}" was kept from ${origin}`;
  warn(`${text}; cuervo plugin grant ${caller.plugin} http:${origin} lets it`);
}
