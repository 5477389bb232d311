import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { KernelError } from '../contracts/error.ts';
import type { AddedServer, ServerDefinition } from '../contracts/servers.ts';
import { namesIn } from '../lib/files/folders.ts';
import { changeAlone } from '../lib/files/lock-file.ts';
import { readTextIfPresent } from '../lib/files/read-file.ts';
import { writeFileWhole } from '../lib/files/write-file-whole.ts';
import { sha256 } from '../lib/sha256.ts';
import { parseServer } from './parse-server.ts';

const maxFileBytes = 64 * 1024 * 1024;

type Defined = Pick<AddedServer, 'definition'>;

/** `CUERVO_HOME/servers`: a folder for each added server, with what a person agreed to. */
export type ServerStore = {
  /** by name; empty where nothing was ever added */
  list(): AddedServer[];
  names(): string[];
  find(name: string): AddedServer | undefined;
  /** @throws {KernelError} `not-found` */
  require(name: string): AddedServer;
  write(server: AddedServer): void;
  /** Changes one as it is by then. @throws {KernelError} `not-found` */
  change(name: string, edit: (server: AddedServer) => AddedServer): AddedServer;
  remove(name: string): void;
  /** Where the packages of a server lie, if it is one of npm. */
  packages(name: string): string;
  /** An empty folder to install in. The caller removes it, or gives it to a server. */
  openPackages(): string;
  /** Moves packages that were installed to the server that they are of. */
  keepPackages(from: string, name: string): void;
};

export function openServerStore(home: string): ServerStore {
  const top = join(home, 'servers');
  const folder = (name: string): string => join(top, name);
  const packages = (name: string): string => join(folder(name), 'packages');
  const fileOf = (name: string): string => join(folder(name), 'server.json');
  const find = (name: string): AddedServer | undefined => {
    const text = readTextIfPresent(fileOf(name), maxFileBytes);
    return text === undefined ? undefined : parseServer(text, fileOf(name));
  };
  const require = (name: string): AddedServer => {
    const server = find(name);
    if (server === undefined) throw unknownServer(name, namesIn(top));
    return server;
  };
  const write = (server: AddedServer): void => {
    mkdirSync(folder(server.name), { recursive: true, mode: 0o700 });
    writeFileWhole(fileOf(server.name), `${JSON.stringify(server, undefined, 1)}\n`, {
      mode: 0o600,
    });
  };
  return {
    list: () =>
      namesIn(top)
        .toSorted()
        .flatMap((name) => find(name) ?? []),
    names: () => namesIn(top),
    ...{ find, require, write },
    change: (name, edit) =>
      changeAlone(fileOf(name), () => {
        const edited = edit(require(name));
        write(edited);
        return edited;
      }),
    remove: (name) => rmSync(folder(name), { recursive: true, force: true }),
    packages,
    openPackages: () => {
      mkdirSync(top, { recursive: true, mode: 0o700 });
      return mkdtempSync(join(top, '.new-'));
    },
    keepPackages: (from, name) => {
      mkdirSync(folder(name), { recursive: true, mode: 0o700 });
      rmSync(packages(name), { recursive: true, force: true });
      renameSync(from, packages(name));
    },
  };
}

/** Digest of the lock file in a folder of packages; undefined where there is none. */
export function packagesLock(folder: string): string | undefined {
  const lock = readTextIfPresent(join(folder, 'package-lock.json'), maxFileBytes);
  return lock === undefined ? undefined : sha256(lock);
}

/** What grants belong to: another command, variable or lock is another server. */
export function definitionDigest(definition: ServerDefinition): string {
  const { source, env, secrets, workspace, project } = definition;
  const sorted = Object.entries(env).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return sha256(JSON.stringify([source, sorted, secrets.toSorted(), workspace, project]));
}

/** Whether a server can be used in a workspace. */
export function isHere({ definition }: Defined, workspace: string): boolean {
  return (definition.workspace ?? workspace) === workspace;
}

/** @throws {KernelError} `not-found` for a server of another workspace */
export function refuseElsewhere(server: Defined & { name: string }, workspace: string): void {
  if (isHere(server, workspace)) return;
  throw new KernelError(
    'not-found',
    `MCP server ${server.name} belongs to ${server.definition.workspace}, and not to ${workspace}`,
    {
      hint: `Work there, or add it here after: cuervo mcp remove ${server.name}`,
    },
  );
}

export function unknownServer(name: string, names: readonly string[]): KernelError {
  return KernelError.unknownName(`there is no MCP server named ${JSON.stringify(name)}`, {
    name,
    names: [...names],
    hint: 'See those that were added with: cuervo mcp list',
  });
}
