import { KernelError } from '../../contracts/error.ts';
import type { AddRequest, ServerDefinition } from '../../contracts/servers.ts';
import { parseRequestUrl } from '../../http/check-request.ts';
import { workRoot } from '../../lib/files/paths.ts';
import { serverError } from './checked-fetch.ts';
import type { ServerReach, SessionPorts } from './open-session.ts';

export function isOfNpm({ source }: Pick<AddRequest, 'source'>): boolean {
  return source[0]?.startsWith('npm:') === true;
}

/**
 * Where a server comes from, by the words that a person typed. A package of npm is installed.
 *
 * @param place.packages an empty folder for the packages of npm
 * @throws {KernelError} `invalid-argument` for words that name none
 */
export async function findSource(
  { name, source }: Pick<AddRequest, 'name' | 'source'>,
  place: {
    workspace: string;
    folders: ServerReach['folders'];
    packages: string | undefined;
    signal: AbortSignal;
  },
  ports: Pick<SessionPorts, 'config' | 'lookUp' | 'service'>,
): Promise<Pick<ServerDefinition, 'source' | 'workspace'>> {
  const { workspace, folders, packages, signal } = place;
  const [first = '', ...args] = source;
  if (packages !== undefined) {
    const { installPackage } = await import('./install-package.ts');
    const wanted = { name, typed: first, args, folder: packages, signal };
    return { source: await installPackage(wanted, ports) };
  }
  if (/^https?:\/\//i.test(first) && args.length === 0)
    return { source: { kind: 'remote', url: parseRequestUrl(first).href } };
  if (/^[a-z]+:/i.test(first)) {
    throw new KernelError('invalid-argument', `"${first}" is no server`, {
      hint: 'Name https://… alone, npm:PACKAGE, or a command behind two hyphens: cuervo mcp add NAME -- COMMAND',
    });
  }
  // A command that names a file of the workspace, or is found in it, is another one elsewhere.
  const caller = { plugin: name, digest: '', signal };
  const { own } = await ports
    .lookUp(first, { folders, cwd: `${workRoot}:` }, caller)
    .catch((thrown: unknown) => {
      throw serverError(name, thrown);
    });
  const isOfWorkspace = own?.from === 'workspace' || args.some((arg) => /^work:./.test(arg));
  return { source: { kind: 'command', command: source }, ...(isOfWorkspace ? { workspace } : {}) };
}
