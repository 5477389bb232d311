import { join } from 'node:path';
import { programPaths, programVersion } from '../../config/paths.ts';
import type { Config } from '../../contracts/config.ts';
import { KernelError } from '../../contracts/error.ts';
import type { HostCaller } from '../../contracts/host-service.ts';
import type { Secrets } from '../../contracts/secrets.ts';
import type { ServerDefinition } from '../../contracts/servers.ts';
import { findOrders } from '../../guard/find-orders.ts';
import type { ExecPorts } from '../../host/interfaces/exec.ts';
import type { ResolveHost } from '../../http/resolve-addresses.ts';
import { realPath, workRoot } from '../../lib/files/paths.ts';
import { openService, type Service, type ServicePorts } from '../../programs/exec/open-service.ts';
import type { Connection } from '../../servers/open-connection.ts';
import { type PinnedTools, pinTools } from '../../servers/pin-tools.ts';
import { packagesLock } from '../../servers/server-store.ts';
import {
  createCheckedFetch,
  createHideSecrets,
  hidingSecrets,
  serverError,
} from './checked-fetch.ts';
import type { SignIns } from './sign-ins.ts';

/** From its start to its list of tools. */
const maxStartMs = 30_000;
/** Of standard error, the newest. */
const maxErrorBytes = 64 * 1024;

/** What a server may reach in a session. */
export type ServerReach = {
  folders: Readonly<Record<string, string>>;
  isWritable: boolean;
  origins: readonly string[];
};

/** A server that answers. The caller owns it. */
export type ServerSession = AsyncDisposable & {
  connection: Connection;
  /** what it offers now */
  offered: PinnedTools;
  /** what it printed to standard error since the last time */
  takeErrors(): Buffer;
  /** set once it has ended, with how */
  over(): string | undefined;
  /** whether it would find what is kept from programs, and was made since its start */
  seesTooMuch(signal: AbortSignal): Promise<boolean>;
  /** who gets the connections of its network from now on; undefined is nobody */
  noteTo(note: HostCaller['note']): void;
};

export type SessionPorts = {
  config: Config;
  service: ServicePorts;
  secrets: Secrets;
  lookUp: ExecPorts['lookUp'];
  /** where the packages of a server lie */
  packages(name: string): string;
  resolve: ResolveHost;
  signIns: SignIns;
};

type Start = {
  name: string;
  definition: ServerDefinition;
  isOld?: boolean;
  reach: ServerReach;
  caller: HostCaller;
  /** where its packages lie, while it is not added yet */
  packages?: string;
};

/**
 * Starts a server, or reaches it, and asks what it offers.
 *
 * @throws {KernelError} `permission-denied` without a sandbox, `unavailable` for one that does not
 *   answer, with the end of what it printed
 */
export async function openSession(start: Start, ports: SessionPorts): Promise<ServerSession> {
  const late = AbortSignal.timeout(maxStartMs);
  const signal = AbortSignal.any([start.caller.signal, late]);
  try {
    const first = await attempt(start, ports, signal);
    if (first !== undefined) return first;
    // A server of the first revisions may end at a question that it does not know.
    const second = await attempt({ ...start, isOld: true }, ports, signal);
    if (second !== undefined) return second;
    throw new KernelError('unavailable', `MCP server ${start.name} ended at once`);
  } catch (thrown) {
    if (late.aborted && !start.caller.signal.aborted) {
      const message = `MCP server ${start.name} did not answer within ${maxStartMs} ms of its start`;
      throw new KernelError('deadline-exceeded', message, { hint: testHint(start.name) });
    }
    throw serverError(start.name, thrown);
  }
}

/** @returns undefined for one that ended when it was asked for its revision */
async function attempt(
  start: Start,
  ports: SessionPorts,
  signal: AbortSignal,
): Promise<ServerSession | undefined> {
  const { name, definition, isOld } = start;
  const shown = `MCP server ${name}`;
  const version = programVersion(programPaths());
  const { openConnection } = await import('../../servers/open-connection.ts');
  await using opened = new AsyncDisposableStack();
  let note: HostCaller['note'] = start.caller.note;
  const errors = createTail(maxErrorBytes);
  const hide = createHideSecrets(definition, ports.secrets);
  let over: string | undefined;
  let seesTooMuch: ServerSession['seesTooMuch'] = async () => false;
  const connect = async () => {
    const options = {
      name: shown,
      version,
      timeoutMs: maxStartMs,
      signal,
      ...(isOld && { isOld }),
    };
    if (definition.source.kind === 'remote')
      return await openConnection(
        await remoteOf(start, definition.source.url, ports, signal),
        options,
      );
    const { createStreamTransport } = await import('../../servers/stream-transport.ts');
    const service = opened.use(
      await startProgram(
        { ...start, caller: { ...start.caller, note: (call) => note?.(call) } },
        ports,
      ),
    );
    void service.ended.then((how) => {
      over ??= how;
    });
    service.errors.on('data', errors.add);
    ({ seesTooMuch } = service);
    const streams = { input: service.input, output: service.output, ended: service.ended };
    const transport = createStreamTransport(streams, (reason) => {
      over ??= reason;
    });
    return await openConnection(transport, options);
  };
  try {
    const connection = hidingSecrets(opened.use(await connect()), hide);
    const offered = pinTools(await connection.listTools(), findOrders);
    const owned = opened.move();
    return {
      ...{ connection, offered, takeErrors: () => hide(errors.take()), over: () => over },
      seesTooMuch,
      noteTo: (next) => {
        note = next;
      },
      [Symbol.asyncDispose]: () => owned.disposeAsync(),
    };
  } catch (thrown) {
    // Its last words may still be on their way.
    await new Promise((resolve) => setImmediate(resolve));
    if (
      over !== undefined &&
      isOld !== true &&
      !signal.aborted &&
      definition.source.kind !== 'remote'
    )
      return undefined;
    const said = hide(errors.take()).toString('utf8').trim();
    if (!(thrown instanceof KernelError) || (over === undefined && said === '')) throw thrown;
    throw new KernelError(thrown.code, endText(shown, over, thrown, said), {
      cause: thrown,
      hint: testHint(name),
    });
  }
}

const maxToldErrors = 600;

function endText(
  shown: string,
  over: string | undefined,
  thrown: KernelError,
  said: string,
): string {
  const what = over === undefined ? thrown.message : `${shown} ${over}`;
  return said === '' ? what : `${what}; it printed: ${said.slice(-maxToldErrors)}`;
}

async function remoteOf(
  { name, definition }: Start,
  url: string,
  { secrets, resolve, signIns }: SessionPorts,
  signal: AbortSignal,
) {
  const { createRemoteTransport } = await import('../../servers/open-remote.ts');
  const [token] = definition.secrets;
  const auth = token === undefined ? signIns.authOf({ name, url }) : undefined;
  if (token !== undefined) await secrets.unlock(signal);
  const { origin } = new URL(url);
  const { signal: open } = new AbortController();
  return createRemoteTransport(url, {
    fetch: createCheckedFetch({
      ...{ secrets, resolve, signal: open },
      mayReach: (asked) => asked === origin,
    }),
    ...{
      headers: token === undefined ? {} : { authorization: `Bearer {{secret:${token}}}` },
      auth,
    },
  });
}

async function startProgram(start: Start, ports: SessionPorts): Promise<Service> {
  const { name, definition, reach, caller } = start;
  const { command, folders, reads } = programOf(start, ports);
  const [program = '', ...args] = command;
  const found = await ports.lookUp(program, { folders, cwd: `${workRoot}:` }, caller);
  return await openService(
    {
      name: `MCP server ${name}`,
      program: found,
      args,
      reads,
      environment: await variablesOf(definition, reach, ports, caller.signal),
      ...reach,
      caller,
    },
    ports.service,
  );
}

/** What is started, the folders that may bring the program, and what it is shown beside its roots. */
function programOf(
  { name, definition: { source, workspace }, reach, packages }: Start,
  ports: SessionPorts,
): { command: readonly string[]; folders: ServerReach['folders']; reads: string[] } {
  if (source.kind === 'remote') throw new Error('a remote server has no program');
  if (source.kind === 'command') {
    // Only the workspace that it was added in may bring the program.
    const folders = workspace === undefined ? {} : reach.folders;
    return { command: source.command, folders, reads: [] };
  }
  const folder = realPath(packages ?? ports.packages(name));
  if (packagesLock(folder) !== source.lock) {
    throw new KernelError(
      'conflict',
      `the packages of MCP server ${name} are not as its lock says`,
      {
        hint: `Add it again, after: cuervo mcp remove ${name}`,
      },
    );
  }
  const command = ['node', join(folder, source.program), ...source.args];
  return { command, folders: {}, reads: [folder] };
}

/** The named variables and secrets, and nothing else of the person's. */
async function variablesOf(
  { env, secrets: names }: ServerDefinition,
  { origins }: ServerReach,
  { config, secrets }: SessionPorts,
  signal: AbortSignal,
): Promise<Record<string, string>> {
  const own = config.environment();
  const found = Object.entries(env).flatMap(([name, value]): [string, string][] => {
    const given = value ?? own[name];
    return given === undefined ? [] : [[name, given]];
  });
  if (names.length > 0) await secrets.unlock(signal);
  for (const name of names) {
    const secret = secrets.find(name);
    if (secret === undefined) {
      throw new KernelError('not-found', `there is no secret ${name}`, {
        hint: `Set it with: cuervo secret set ${name} --for ORIGIN`,
      });
    }
    const beyond = origins.find((origin) => !secret.origins.includes(origin));
    if (beyond !== undefined) {
      throw new KernelError(
        'permission-denied',
        `the secret ${name} is not for ${beyond}, which the server may reach`,
        {
          hint: `Take one of them away: the grant http:${beyond}, or the secret`,
        },
      );
    }
    found.push([name, secret.value]);
  }
  return Object.fromEntries(found);
}

/** Keeps the end of what is added. */
export function createTail(maxBytes: number): { add(chunk: Buffer): void; take(): Buffer } {
  let held = Buffer.alloc(0);
  return {
    add: (chunk) => {
      held = Buffer.concat([held, chunk]).subarray(-maxBytes);
    },
    take: () => {
      const taken = held;
      held = Buffer.alloc(0);
      return taken;
    },
  };
}

function testHint(name: string): string {
  return `See what it says with: cuervo mcp test ${name}`;
}
