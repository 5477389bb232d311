import type { ConsentDesk } from '../../consent/consent-desk.ts';
import type { Grant } from '../../contracts/capability.ts';
import { KernelError } from '../../contracts/error.ts';
import { type HostCaller, notDone, ServiceError } from '../../contracts/host-service.ts';
import type { AddedServer } from '../../contracts/servers.ts';
import type { JsonObject } from '../../contracts/tool.ts';
import { type Denial, denialOf } from '../../policy/decide.ts';
import type { ServerReach } from './open-session.ts';

export type CallPorts = {
  desk: ConsentDesk;
  /** of the configuration */
  denied: readonly Denial[];
  /** what the caller holds now, what was typed for this run among it */
  grantsOf(caller: HostCaller): Promise<readonly Grant[]>;
  /** typed for this run */
  typed: readonly Grant[];
  readBy(run: string | undefined): string | undefined;
};

/** Whether policy lets a tool be called without a question. */
export function isHeld(
  { reads }: Pick<AddedServer, 'reads'>,
  tool: string,
  grants: readonly Grant[],
): boolean {
  const isGranted = grants.some(
    ({ capability, detail }) => capability === 'call' && detail === tool,
  );
  return reads.includes(tool) || isGranted;
}

/**
 * Returns when a call of an added server may be made. Nothing that the server says of its tools counts:
 * each call is asked about, until the person grants the tool or says that it only reads.
 *
 * @throws {KernelError} `permission-denied`
 */
export async function authorizeCall(
  server: AddedServer,
  call: { tool: string; input: JsonObject; reach: ServerReach; at: string | undefined },
  caller: HostCaller,
  ports: CallPorts,
): Promise<void> {
  const { tool, input, reach, at } = call;
  const denial = denialOf({ capability: 'call', detail: tool }, ports.denied);
  if (denial !== undefined) {
    throw new KernelError('permission-denied', `the configuration denies call:${tool}`, {
      hint: `${denial.source} denies ${denial.text} under capabilities.deny; no grant outweighs it`,
    });
  }
  const held = isHeld(server, tool, await ports.grantsOf(caller));
  const reaches = at !== undefined || reach.origins.length > 0;
  // What was typed for this run was meant for what this run reads.
  const afterReading =
    held && reaches && !isHeld({ reads: [] }, tool, ports.typed)
      ? ports.readBy(caller.run)
      : undefined;
  if (held && afterReading === undefined) {
    if (caller.rehearsal !== undefined) throw new KernelError('permission-denied', notDone);
    return;
  }
  const kept = `cuervo plugin grant ${server.name} call:${tool}`;
  try {
    await ports.desk.ask({
      effect: {
        ...{ capability: 'call', tool, input, isWriting: reach.isWritable },
        origins: reach.origins,
        ...(at === undefined ? {} : { at }),
      },
      caller,
      builtin: false,
      grant: { capability: 'call', detail: tool },
      reason:
        afterReading === undefined
          ? `${server.name} was not granted call:${tool}`
          : `a model that read ${afterReading} asks for this, and data would leave the machine`,
      hint:
        afterReading === undefined
          ? `${kept} keeps it, or --allow call:${tool} grants it for one run`
          : `It is granted, but cuervo asks about it each time: run it at a terminal, or with --allow call:${tool}`,
      ...(afterReading === undefined ? {} : { afterReading }),
      isHeld: async () =>
        afterReading === undefined && isHeld(server, tool, await ports.grantsOf(caller)),
    });
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown;
    const { message, hint } = thrown;
    const text = `${server.name}.${tool}: ${message}`;
    throw new KernelError('permission-denied', text, hint === undefined ? {} : { hint });
  }
}
