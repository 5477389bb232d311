import { rmSync } from 'node:fs';
import type { ConsentDesk } from '../../consent/consent-desk.ts';
import type { Grant } from '../../contracts/capability.ts';
import { KernelError } from '../../contracts/error.ts';
import type { HostCaller } from '../../contracts/host-service.ts';
import { kernelPlugin } from '../../contracts/kernel-tools.ts';
import type {
  AddedServer,
  ListedServer,
  ServerCommands,
  ServerDefinition,
  ServerTool,
  SignIn,
} from '../../contracts/servers.ts';
import { formatGrant, parseGrant, refuseUnknownRoots } from '../../policy/parse-grant.ts';
import { rootOfArgument } from '../../programs/exec/open-service.ts';
import type { SecretsFile } from '../../secrets/secrets.ts';
import { serverName } from '../../servers/parse-server.ts';
import { compareTools } from '../../servers/pin-tools.ts';
import { fromProject, projectServers } from '../../servers/project-servers.ts';
import {
  definitionDigest,
  refuseElsewhere,
  type ServerStore,
  unknownServer,
} from '../../servers/server-store.ts';
import type { KernelConsent } from '../consent/create-consent.ts';
import type { KernelCore } from '../core.ts';
import { findSource, isOfNpm } from './find-source.ts';
import {
  openSession,
  type ServerReach,
  type ServerSession,
  type SessionPorts,
} from './open-session.ts';
import type { Remote } from './sign-ins.ts';

type Named = Pick<AddedServer, 'name' | 'definition'>;

export function createServerCommands(
  core: KernelCore,
  parts: {
    consent: KernelConsent & { desk: ConsentDesk };
    secrets: SecretsFile;
    store: ServerStore;
    ports: SessionPorts;
    reachOf(held: readonly Grant[]): ServerReach;
    pluginNames(): readonly string[];
  },
): ServerCommands {
  const { store, ports, reachOf } = parts;
  const { grants } = parts.consent;
  const { config, journaled, openHome } = core;

  const heldBy = (name: string, digest: string): Grant[] =>
    grants.of(name, digest, config.workspace);
  const listed = (server: AddedServer): ListedServer => {
    const digest = definitionDigest(server.definition);
    return { ...server, digest, grants: heldBy(server.name, digest).map(formatGrant) };
  };
  const open = async (
    server: Named & { isOld?: boolean; packages?: string },
    held: readonly Grant[],
    signal: AbortSignal,
  ): Promise<ServerSession> => {
    const { name, definition } = server;
    refuseElsewhere(server, config.workspace);
    const caller = callerOf(name, definitionDigest(definition), signal);
    // Nothing that it would write has a run that an undo could name.
    const reach = { ...reachOf(held), isWritable: false };
    return await openSession({ ...server, reach, caller }, ports);
  };
  const enter = async (server: Named, how: SignIn, signal: AbortSignal): Promise<void> => {
    const remote = requireRemote(server);
    const what = `${remote.name} ${new URL(remote.url).origin}`;
    await journaled('mcp login', what, () => ports.signIns.enter(remote, how, signal));
  };

  return {
    add: async (typed, { consent, start = consent, signIn, signal }) => {
      refuseName(typed.name, [...parts.pluginNames(), kernelPlugin], store);
      const request = fromProject(typed, config.workspace);
      const { name, reads, secrets, project } = request;
      const held = request.grants.map(parseServerGrant);
      refuseUnknownRoots(held);
      for (const secret of secrets) requireSecret(secret, parts.secrets);
      openHome();
      const packages = isOfNpm(request) ? store.openPackages() : undefined;
      using _ = removing(packages);
      const found = await findSource(
        request,
        { workspace: config.workspace, folders: reachOf(held).folders, packages, signal },
        ports,
      );
      const env = Object.fromEntries(request.env.map(parseVariable));
      const bound = project === undefined ? {} : { workspace: config.workspace, project };
      const definition = { ...found, ...bound, env, secrets: [...secrets] };
      refuseUnfit(definition, held);
      const shown = { name, definition, grants: held.map(formatGrant) };
      // The repository chose the program, which gets variables of the person.
      if (
        project !== undefined &&
        !(await start({ ...shown, tools: [], leftOut: [], changes: [] }))
      )
        throw new KernelError('canceled', 'nothing was started');
      const starting = { name, definition, ...(packages === undefined ? {} : { packages }) };
      await using unless = new AsyncDisposableStack();
      const enterOnce = (how: SignIn): Promise<void> => {
        unless.defer(() => ports.signIns.forget(name));
        return enter(starting, how, signal);
      };
      await using session = await openSigned(
        () => open(starting, held, signal),
        signIn && remoteOf(starting) && (() => enterOnce(signIn)),
      );
      const { tools, leftOut } = session.offered;
      requireReads(reads, tools);
      const offered = { ...shown, tools, leftOut, changes: [] };
      if (!(await consent(offered))) throw new KernelError('canceled', 'nothing was added');
      const digest = definitionDigest(definition);
      const { isOld } = session.connection;
      const addedMs = core.clock.nowMs();
      const added = { name, definition, addedMs, isOld, tools, reads: [...reads], off: [] };
      const what = `${name}@${digest} ${held.map(formatGrant).join(' ')}`.trim();
      await journaled('mcp add', what, () => {
        if (packages !== undefined) store.keepPackages(packages, name);
        store.write(added);
        if (held.length > 0) grants.add({ plugin: name, digest }, held, undefined);
      });
      unless.move();
      return listed(added);
    },
    list: () => store.list().map(listed),
    project: async () => projectServers(config.workspace, store.list()),
    show: (name) => listed(store.require(name)),
    test: async (name, { signal }) => {
      const server = store.require(name);
      const startedMs = performance.now();
      const digest = definitionDigest(server.definition);
      await using session = await open(server, heldBy(name, digest), signal);
      const { tools, leftOut } = session.offered;
      return {
        ...{ tools, leftOut, changes: compareTools(server.tools, tools) },
        durationMs: performance.now() - startedMs,
        printed: session.takeErrors().toString('utf8'),
      };
    },
    accept: async (name, { consent, signal, reads }) => {
      const server = store.require(name);
      const { definition } = server;
      const held = heldBy(name, definitionDigest(definition));
      await using session = await open({ name, definition }, held, signal);
      const { tools, leftOut } = session.offered;
      const changes = compareTools(server.tools, tools);
      const kept = reads ?? server.reads.filter((each) => tools.some((tool) => tool.name === each));
      requireReads(kept, tools);
      const offered = { name, definition, grants: held.map(formatGrant), tools, leftOut, changes };
      if (!(await consent(offered))) throw new KernelError('canceled', 'nothing was changed');
      // A promise about the old words of a tool is none about the new ones.
      const changed = changes.filter(({ change }) => change !== 'new').map(({ tool }) => tool);
      const { isOld } = session.connection;
      const what = `${name} ${changes.map(({ tool, change }) => `${tool} ${change}`).join(', ')}`;
      return await journaled('mcp accept', what.trim(), () => {
        const calls = changed.map((detail): Grant => ({ capability: 'call', detail }));
        if (calls.length > 0) grants.take(name, calls);
        return listed(
          store.change(name, (now) => ({
            ...{ ...now, isOld, tools, off: [] },
            reads: reads === undefined ? kept.filter((each) => !changed.includes(each)) : [...kept],
          })),
        );
      });
    },
    login: async (name, { signIn, signal }) => {
      const server = store.require(name);
      await enter(server, signIn, signal);
      return listed(server);
    },
    remove: async (name) => {
      // One whose file cannot be read is removed like any other.
      if (!store.names().includes(name)) throw unknownServer(name, store.names());
      await journaled('mcp remove', name, async () => {
        await ports.signIns.forget(name);
        grants.take(name, undefined);
        store.remove(name);
      });
    },
  };
}

function requireReads(reads: readonly string[], tools: readonly ServerTool[]): void {
  const stray = reads.find((name) => !tools.some((tool) => tool.name === name));
  if (stray === undefined) return;
  throw KernelError.unknownName(`--reads ${stray}: the server has no such tool`, {
    name: stray,
    names: tools.map(({ name }) => name),
    hint: 'Leave it out to see which tools there are.',
  });
}

/** Opens a server; where it wants to know who asks, once more after a sign-in. */
async function openSigned(
  open: () => Promise<ServerSession>,
  enter: (() => Promise<void>) | undefined,
): Promise<ServerSession> {
  try {
    return await open();
  } catch (thrown) {
    if (enter === undefined) throw thrown;
    const { wantsSignIn } = await import('../../servers/sign-in.ts');
    if (!wantsSignIn(thrown)) throw thrown;
    await enter();
    return await open();
  }
}

function requireRemote(server: Named): Remote {
  const remote = remoteOf(server);
  if (remote !== undefined) return remote;
  throw new KernelError('invalid-argument', `nobody signs in at MCP server ${server.name}`, {
    hint: `See what it is with: cuervo mcp show ${server.name}`,
  });
}

/** Undefined where no person can sign in: it runs here, or is given a token. */
function remoteOf({ name, definition }: Named): Remote | undefined {
  const { source, secrets } = definition;
  if (source.kind !== 'remote' || secrets.length > 0) return undefined;
  return { name, url: source.url };
}

function callerOf(name: string, digest: string, signal: AbortSignal): HostCaller {
  return { plugin: name, digest, signal };
}

function removing(folder: string | undefined): Disposable {
  return {
    [Symbol.dispose]: () => {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

function refuseName(name: string, taken: readonly string[], store: ServerStore): void {
  if (!serverName.test(name) || name.length > 40) {
    throw new KernelError(
      'invalid-argument',
      `"${name.slice(0, 80)}" is no name: small letters, digits and single hyphens, at most 40`,
      { hint: 'For example: cuervo mcp add files -- COMMAND' },
    );
  }
  if (taken.includes(name)) {
    throw new KernelError('conflict', `${name} is the name of a plugin`, {
      hint: `Choose another name, as in: cuervo mcp add my-${name}`,
    });
  }
  if (store.find(name) === undefined) return;
  throw new KernelError('conflict', `there is an MCP server ${name} already`, {
    hint: `See it with: cuervo mcp show ${name}; or remove it first: cuervo mcp remove ${name}`,
  });
}

/** @throws {KernelError} `invalid-argument` for a grant that no server can use */
function parseServerGrant(text: string): Grant {
  const grant = parseGrant(text);
  if (['fs', 'fs-write', 'http', 'call'].includes(grant.capability)) return grant;
  throw new KernelError('invalid-argument', `an MCP server cannot use ${text}`, {
    hint: 'Grant fs:ROOT, fs-write:ROOT, http:ORIGIN or call:TOOL.',
  });
}

function parseVariable(text: string): [string, string | null] {
  const [, name, value] = /^([A-Za-z_][A-Za-z0-9_]*)(?:=(.*))?$/s.exec(text) ?? [];
  if (name !== undefined) return [name, value ?? null];
  throw new KernelError('invalid-argument', `--env ${JSON.stringify(text)} is no variable`, {
    hint: 'For a value: --env NAME=VALUE; for your own value of it: --env NAME',
  });
}

function requireSecret(name: string, secrets: SecretsFile): void {
  if (secrets.has(name)) return;
  throw new KernelError('not-found', `there is no secret ${name}`, {
    hint: `Set it first: cuervo secret set ${name} --for ORIGIN`,
  });
}

/** What a server could not use, or would lack. */
function refuseUnfit({ source, env, secrets }: ServerDefinition, held: readonly Grant[]): void {
  if (source.kind === 'remote') {
    const stray = held.find(({ capability }) => capability !== 'call');
    const what = stray !== undefined ? formatGrant(stray) : Object.keys(env)[0];
    if (what !== undefined) {
      throw new KernelError('invalid-argument', `a server elsewhere cannot use ${what}`, {
        hint: 'It gets the calls alone, and one --secret as its bearer token.',
      });
    }
    if (secrets.length > 1)
      throw new KernelError(
        'invalid-argument',
        'a server elsewhere gets one --secret, its bearer token',
      );
    return;
  }
  const args = source.kind === 'package' ? source.args : source.command.slice(1);
  const named = args.map(rootOfArgument).find((root) => root === 'work');
  const isHeld = held.some(
    ({ capability, detail }) => capability.startsWith('fs') && detail === named,
  );
  if (named === undefined || isHeld) return;
  throw new KernelError('invalid-argument', `the command names ${named}:, which it may not read`, {
    hint: `Grant it: --grant fs:${named} to read, --grant fs-write:${named} to write, too`,
  });
}
