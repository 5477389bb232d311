import { join } from 'node:path';
import { parse } from 'smol-toml';
import { KernelError } from '../contracts/error.ts';

/** How a client starts cuervo; it is found by its name, so that a project can share the file. */
const command = 'cuervo';
const args = ['mcp', 'serve'];
const serverName = 'cuervo';

type Client = {
  title: string;
  /** the file that names its servers */
  file(folders: { workspace: string; user: string; config: string }): string;
  /** what belongs into it, with names of the tables around it */
  path: readonly string[];
  entry: Readonly<Record<string, unknown>>;
};

const clients: Readonly<Record<string, Client>> = {
  'claude-code': {
    title: 'Claude Code',
    file: ({ workspace }) => join(workspace, '.mcp.json'),
    path: ['mcpServers'],
    entry: { command, args },
  },
  codex: {
    title: 'Codex',
    file: ({ user }) => join(user, '.codex', 'config.toml'),
    path: ['mcp_servers'],
    entry: { command, args },
  },
  vscode: {
    title: 'VS Code',
    file: ({ workspace }) => join(workspace, '.vscode', 'mcp.json'),
    path: ['servers'],
    entry: { type: 'stdio', command, args },
  },
  zed: {
    title: 'Zed',
    file: ({ config }) => join(config, 'zed', 'settings.json'),
    path: ['context_servers'],
    entry: { command, args },
  },
};

export type Setup = {
  title: string;
  file: string;
  /** the text of a file that holds nothing else */
  alone: string;
  /**
   * The text of the file with cuervo in it.
   *
   * @returns the text as it is where cuervo is there
   * @throws {KernelError} `conflict` where it cannot be changed without a loss
   */
  withCuervo(text: string): string;
};

/** @throws {KernelError} `not-found` for a client that is not known */
export function setupOf(name: string, folders: Parameters<Client['file']>[0]): Setup {
  const client = Object.hasOwn(clients, name) ? clients[name] : undefined;
  if (client === undefined) {
    throw KernelError.unknownName(`there is no setup for "${name}"`, {
      name,
      names: Object.keys(clients),
      hint: `There is one for ${Object.keys(clients).join(', ')}; any other client starts: cuervo mcp serve`,
    });
  }
  const { title, entry, path } = client;
  const file = client.file(folders);
  const isToml = file.endsWith('.toml');
  const alone = isToml ? tomlOf(path, entry) : jsonWith('{}', path, entry, file);
  return {
    ...{ title, file, alone },
    withCuervo: (text) => {
      if (text.trim() === '') return alone;
      return isToml ? tomlWith(text, path, entry, file) : jsonWith(text, path, entry, file);
    },
  };
}

function jsonWith(
  text: string,
  path: readonly string[],
  entry: Client['entry'],
  file: string,
): string {
  let whole: Record<string, unknown>;
  try {
    whole = tableOf(JSON.parse(text));
  } catch (thrown) {
    // Comments would be lost.
    throw notPlain(file, 'JSON without comments', thrown);
  }
  let table = whole;
  for (const name of path) {
    table[name] = tableOf(table[name] ?? {});
    table = table[name] as Record<string, unknown>;
  }
  if (Object.hasOwn(table, serverName)) return text;
  table[serverName] = entry;
  const indent = /^[ \t]+/m.exec(text)?.[0] ?? '  ';
  return `${JSON.stringify(whole, null, indent)}\n`;
}

function tomlWith(
  text: string,
  path: readonly string[],
  entry: Client['entry'],
  file: string,
): string {
  try {
    let table = tableOf(parse(text));
    for (const name of path) table = tableOf(table[name] ?? {});
    if (Object.hasOwn(table, serverName)) return text;
  } catch (thrown) {
    throw notPlain(file, 'TOML', thrown);
  }
  return `${text.trimEnd()}\n\n${tomlOf(path, entry)}`;
}

function tomlOf(path: readonly string[], entry: Client['entry']): string {
  const lines = Object.entries(entry).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  return `[${[...path, serverName].join('.')}]\n${lines.join('\n')}\n`;
}

function tableOf(value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new TypeError('is not a table');
}

function notPlain(file: string, form: string, cause: unknown): KernelError {
  return new KernelError('conflict', `${file} is not ${form}, and is left as it is`, {
    cause,
    hint: 'Put it there yourself; without --write the text is printed.',
  });
}
