import type { Grant } from '../../contracts/capability.ts';
import { KernelError } from '../../contracts/error.ts';
import type { HostCaller } from '../../contracts/host-service.ts';
import type { OutputOwner, OutputSink } from '../../contracts/kept-outputs.ts';
import type { AddedServer, ServerTool } from '../../contracts/servers.ts';
import {
  type HostCall,
  refuseLargeInput,
  type ToolEvent,
  type ToolInvoker,
  type ToolOutput,
} from '../../contracts/tool.ts';
import { checkInput } from '../../lib/check-input.ts';
import { sayOnce } from '../../lib/memo.ts';
import { compareTools } from '../../servers/pin-tools.ts';
import { definitionDigest, type ServerStore } from '../../servers/server-store.ts';
import { authorizeCall, type CallPorts } from './authorize-call.ts';
import { serverError } from './checked-fetch.ts';
import type { LiveSessions } from './live-sessions.ts';
import type { ServerReach } from './open-session.ts';

type ServePorts = Omit<CallPorts, 'grantsOf'> & {
  /** @throws {KernelError} where there is no such tool, or it is off */
  find(tool: string): { server: AddedServer; tool: ServerTool };
  live: LiveSessions;
  store: ServerStore;
  /** kept, and of this run */
  keptGrants(server: AddedServer): Grant[];
  reachOf(held: readonly Grant[]): ServerReach;
  /** @throws {KernelError} where nothing that is done could be journaled */
  requireJournal(): Promise<void>;
  keeper(): Promise<{ open(owner: OutputOwner): OutputSink }>;
  warn(text: string): void;
  maxResultBytes: number;
};

/** One call of a tool of an added server, from its check to its result. @throws {KernelError} */
export type ServeCall = (
  call: Parameters<ToolInvoker['invoke']>[0],
  options: Parameters<ToolInvoker['invoke']>[1],
  push: (event: ToolEvent) => void,
) => Promise<ToolOutput>;

export function createServeCall(ports: ServePorts): ServeCall {
  const warnOnce = sayOnce(ports.warn);

  /** A server that says other things of a tool than what was agreed to does not get its calls. */
  const followChanges = (server: AddedServer, offered: readonly ServerTool[]): string[] => {
    const changes = compareTools(server.tools, offered);
    const off = changes.flatMap(({ change, tool }) => (change === 'new' ? [] : [tool]));
    if (off.toSorted().join() !== server.off.toSorted().join())
      ports.store.change(server.name, (now) => ({ ...now, off }));
    if (changes.length > 0) {
      const named = changes.map(({ tool, change }) => `${tool} (${change})`).join(', ');
      warnOnce(
        `MCP server ${server.name} does not offer what you agreed to: ${named}; these are off until you accept them: cuervo mcp accept ${server.name}`,
      );
    }
    return off;
  };

  return async (
    { tool: fullName, input }: Parameters<ToolInvoker['invoke']>[0],
    options: Parameters<ToolInvoker['invoke']>[1],
    push: (event: ToolEvent) => void,
  ): Promise<ToolOutput> => {
    const { server, tool } = ports.find(fullName);
    const { run, step, rehearsal, signal, timeoutMs } = options;
    checkInput(fullName, tool.inputSchema, input);
    refuseLargeInput(fullName, JSON.stringify(input));
    const digest = definitionDigest(server.definition);
    const note = (call: HostCall): void => {
      options.record?.(call);
      push({ type: 'host-call', call, by: 'kernel' });
    };
    const caller: HostCaller = {
      ...{ plugin: server.name, digest, tool: fullName, signal, note },
      ...(run === undefined ? {} : { run }),
      ...(step === undefined ? {} : { step }),
      ...(rehearsal === undefined ? {} : { rehearsal }),
    };
    const { source } = server.definition;
    const at = source.kind === 'remote' ? new URL(source.url).origin : undefined;
    const reach = ports.reachOf(ports.keptGrants(server));
    await authorizeCall(server, { tool: tool.name, input, reach, at }, caller, {
      ...ports,
      grantsOf: async (by) => [
        ...ports.keptGrants(server),
        ...(await ports.desk.sessionGrants(by)),
      ],
    });
    await ports.requireJournal();
    const startedMs = performance.now();
    let outcome: HostCall['outcome'] = 'io';
    let bytes = 0;
    try {
      await using use = await ports.live.use({ ...server, reach, caller });
      const { session } = use;
      if (followChanges(server, session.offered.tools).includes(tool.name))
        throw isOff(server, tool);
      const late = AbortSignal.timeout(timeoutMs);
      try {
        const output = await session.connection.call(tool.own, input, {
          ...{ timeoutMs, shown: fullName, signal: AbortSignal.any([signal, late]) },
          onProgress: (label, done, total) =>
            push({ type: 'progress', label, done, ...(total === undefined ? {} : { total }) }),
        });
        bytes = Buffer.byteLength(output.content);
        if (bytes > ports.maxResultBytes) throw tooLong(fullName, bytes, ports.maxResultBytes);
        outcome = 'ok';
        return output;
      } catch (thrown) {
        // It may still work on the call, or be gone: the next one gets another process.
        if (!(thrown instanceof KernelError) || thrown.code !== 'tool-failed') use.drop();
        if (late.aborted && !signal.aborted) throw tookTooLong(fullName, timeoutMs);
        const over = session.over();
        if (over === undefined || signal.aborted) throw thrown;
        throw new KernelError('unavailable', `${fullName}: MCP server ${server.name} ${over}`, {
          cause: thrown,
          hint: `See what it says with: cuervo mcp test ${server.name}`,
        });
      } finally {
        const errors = session.takeErrors();
        if (errors.byteLength > 0 && run !== undefined && step !== undefined) {
          const sink = (await ports.keeper()).open({
            run,
            step,
            plugin: server.name,
            program: server.name,
          });
          sink.write('stderr', errors);
          sink.end();
        }
      }
    } catch (thrown) {
      throw serverError(server.name, thrown);
    } finally {
      const durationMs = performance.now() - startedMs;
      note({ call: 'mcp.call', target: tool.own.slice(0, 512), outcome, durationMs, bytes });
    }
  };
}

export function isOff({ name }: AddedServer, tool: ServerTool): KernelError {
  return new KernelError(
    'conflict',
    `${name}.${tool.name} is off: the server says something else of it than what you agreed to`,
    { hint: `See the difference, and accept it, with: cuervo mcp accept ${name}` },
  );
}

function tooLong(tool: string, bytes: number, limit: number): KernelError {
  return new KernelError(
    'resource-exhausted',
    `${tool} returned ${bytes} bytes, limit ${limit} (limits.max-result-bytes)`,
    { hint: 'Ask it for less, or raise limits.max-result-bytes in config.toml.' },
  );
}

function tookTooLong(tool: string, timeoutMs: number): KernelError {
  return new KernelError('deadline-exceeded', `${tool} took longer than ${timeoutMs} ms`, {
    hint: 'Give it more time with --timeout SECONDS.',
  });
}
