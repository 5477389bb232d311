import { join } from 'node:path';
import { KernelError } from '../contracts/error.ts';
import type {
  AddedServer,
  AddRequest,
  ProjectServer,
  ProjectServers,
} from '../contracts/servers.ts';
import { isLink, readTextIfPresent } from '../lib/files/read-file.ts';
import { isTooDeep } from '../lib/text/parse-json.ts';
import { escapeText } from '../lib/text/printable.ts';
import { type ProjectEntry, parseProjectServers } from './parse-server.ts';

const projectFile = '.mcp.json';
const maxFileBytes = 256 * 1024;
const maxServers = 64;
const maxName = 64;

/** The servers that a project names, and whether a person agreed to each as it is written there now. */
export function projectServers(workspace: string, added: readonly AddedServer[]): ProjectServers {
  const servers: ProjectServer[] = [];
  const leftOut: string[] = [];
  const here = added.filter(({ definition }) => definition.workspace === workspace);
  for (const [name, entry] of entriesOf(workspace).slice(0, maxServers)) {
    // `cuervo mcp setup` puts itself there, for other clients.
    if (entry?.command === 'cuervo') continue;
    const found = typed(entry);
    if (typeof found === 'string') {
      leftOut.push(`${escapeText(name).slice(0, maxName)} of ${projectFile}: ${found}`);
      continue;
    }
    const used = here.find((server) => server.definition.project === name);
    const state = used === undefined ? 'not used' : isSame(used, found) ? 'used' : 'changed since';
    servers.push({ name, ...found, state });
  }
  return { servers, leftOut };
}

/**
 * A request with the source and the variables that the project names.
 *
 * @throws {KernelError} `not-found` for a name that the file does not have
 */
export function fromProject(request: AddRequest, workspace: string): AddRequest {
  const { project, source, env } = request;
  if (project === undefined) {
    if (source.length > 0) return request;
    throw new KernelError(
      'invalid-argument',
      'a server needs a command, npm:PACKAGE or an address',
      {
        hint: `Or take the one that ${projectFile} of this workspace names: --project NAME`,
      },
    );
  }
  if (source.length > 0)
    throw new KernelError('invalid-argument', '--project names the source, so leave it out');
  const { servers, leftOut } = projectServers(workspace, []);
  const found = servers.find(({ name }) => name === project);
  if (found !== undefined) return { ...request, source: found.source, env: [...found.env, ...env] };
  throw KernelError.unknownName(`${projectFile} of ${workspace} names no server "${project}"`, {
    name: project,
    names: servers.map(({ name }) => name),
    hint: leftOut[0] ?? 'See those that it names with: cuervo mcp list',
  });
}

function entriesOf(workspace: string): [string, ProjectEntry | undefined][] {
  const file = join(workspace, projectFile);
  // A repository could show any file of the person by way of a link.
  if (isLink(file))
    throw new KernelError('conflict', `${file} is a link, and is not read`, {
      hint: 'Put the file itself there.',
    });
  const text = readTextIfPresent(file, maxFileBytes);
  if (text === undefined) return [];
  const entries = isTooDeep(text) ? undefined : parseProjectServers(text);
  if (entries !== undefined) return entries;
  throw new KernelError('invalid-argument', `${file} is no list of MCP servers`, {
    hint: 'It is JSON with "mcpServers": an object with a "command" or a "url" for each name.',
  });
}

/** As a person would type it; the reason where nothing typed means the same. */
function typed(entry: ProjectEntry | undefined): Pick<ProjectServer, 'source' | 'env'> | string {
  if (entry === undefined) return 'it has neither a command nor a url';
  const { command, args, env, url, headers } = entry;
  const wants = [command ?? url ?? '', ...args, ...Object.values(env)];
  const variables = Object.entries(env).map(([name, value]) =>
    value === `\${${name}}` ? name : `${name}=${value}`,
  );
  const unknown = [...wants.slice(0, 1 + args.length), ...variables].find((text) =>
    text.includes('${'),
  );
  if (unknown !== undefined) return `variables are not put into "${escapeText(unknown)}"`;
  if (url !== undefined && command === undefined) {
    if (!/^https?:\/\//i.test(url)) return 'its url is no address';
    return Object.keys(headers).length === 0
      ? { source: [url], env: [] }
      : 'it has headers; add its address with --secret NAME for a token';
  }
  if (command === undefined || command === '') return 'it has neither a command nor a url';
  return { source: withoutNpx([command, ...args]), env: variables };
}

/** `npx` fetches at each start, for which a server has no network; the package is installed once. */
function withoutNpx([command = '', ...args]: string[]): string[] {
  const at = args.findIndex((arg) => !/^(?:-y|--yes)$/.test(arg));
  const name = args[at];
  if (command !== 'npx' || name === undefined || name.startsWith('-')) return [command, ...args];
  return [`npm:${name}`, ...args.slice(at + 1)];
}

function isSame(
  { definition: { source, env } }: AddedServer,
  entry: Pick<ProjectServer, 'source' | 'env'>,
): boolean {
  const own = Object.entries(env).map(([name, value]) =>
    value === null ? name : `${name}=${value}`,
  );
  const isListed = entry.env.every((text) => own.includes(text));
  return isListed && isSameSource(source, entry.source);
}

function isSameSource(
  source: AddedServer['definition']['source'],
  [first = '', ...args]: readonly string[],
): boolean {
  const same = (one: readonly string[], other: readonly string[]): boolean =>
    JSON.stringify(one) === JSON.stringify(other);
  if (source.kind === 'command') return same(source.command, [first, ...args]);
  if (source.kind === 'remote') return URL.parse(first)?.href === source.url;
  const isPackage = first === `npm:${source.package}` || first.startsWith(`npm:${source.package}@`);
  return isPackage && same(source.args, args);
}
