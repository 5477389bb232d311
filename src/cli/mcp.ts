import { copyFileSync, lstatSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Argument, type Command } from 'commander';
import { programPaths, programVersion } from '../config/paths.ts';
import { keepYoungSpace } from '../config/process-settings.ts';
import { KernelError } from '../contracts/error.ts';
import { homeFolder } from '../lib/files/paths.ts';
import { readTextIfPresent } from '../lib/files/read-file.ts';
import { writeFileWhole } from '../lib/files/write-file-whole.ts';
import { addFamilyExamples } from './command-families.ts';
import { aborted, listenForInterrupt } from './interrupt.ts';
import { collect, workspaceOption } from './kernel-options.ts';
import { addMcpServers } from './mcp-servers.ts';
import { openKernel } from './open-kernel.ts';
import { note, noteLine, oneLine, print } from './output.ts';
import { showDiffs } from './show-diffs.ts';

const serveExamples = `
Examples:
  cuervo mcp serve                          what an agent starts; it talks on standard input
  cuervo mcp serve -w ~/app --read-only     nothing that changes or leaves anything
  cuervo mcp serve --tools 'search.*' --tools ask
  cuervo mcp serve --allow exec:npm         a grant for as long as it runs
  cuervo mcp serve --http 7349              on this machine alone, with the token of the home
`;

const examples = `
Examples:
  cuervo mcp setup claude-code              what to put where; --write does it
  cuervo mcp serve                          what the client starts
  cuervo mcp list                           the servers of others that were added
  cuervo mcp show files                     tools, grants and program of one
  cuervo mcp test files                     starts it and asks for its tools
  cuervo mcp accept files                   takes it as it is now, after a change
  cuervo mcp login files                    signs in again
  cuervo mcp remove files
`;

type ServeFlags = {
  workspace?: string;
  http?: string | true;
  tools?: string[];
  readOnly?: boolean;
  compact?: boolean;
  dryRun?: boolean;
  allow?: string[];
  yes?: string;
};

/** Used where --http names none. */
const usualPort = 7349;

export function addMcpCommand(program: Command): void {
  const mcp = program
    .command('mcp')
    .description('serve tools to agents, and use those of others, over the Model Context Protocol');
  addFamilyExamples(mcp, examples);
  mcp
    .command('serve')
    .description('offer the tools of the plugins in use to an agent')
    .option('-w, --workspace <dir>', 'the folder to work on')
    .option('--http [port]', `on loopback, for clients that send the token (default ${usualPort})`)
    .option('--tools <glob>', 'only these, e.g. search.* (repeatable)', collect)
    .option('--read-only', 'only tools that change and send nothing')
    .option('--compact', 'list four tools that find, call and script the others')
    .option('--dry-run', 'work on a copy of the workspace; cuervo apply makes all changes of it')
    .option('--allow <grant>', 'grant while it runs, e.g. exec:npm (repeatable)', collect)
    .option('--yes <set>', 'allow what this set of rules in rules.toml allows; see docs/policy.md')
    .addHelpText('after', serveExamples)
    .action(serve);
  addMcpSetup(mcp);
  addMcpServers(mcp);
}

async function serve(flags: ServeFlags): Promise<void> {
  using interrupt = listenForInterrupt();
  // It runs for days beside the client, and waits most of the time.
  keepYoungSpace();
  const [{ openKernel }, { createServing }, { createClientConsent }, { consentText }] =
    await Promise.all([
      import('../kernel.ts'),
      import('../mcp/serving.ts'),
      import('../mcp/client-consent.ts'),
      import('./consent-text.ts'),
    ]);
  const consent = createClientConsent((request) => consentText(request, 80, []));
  await using kernel = await openKernel({
    ...workspaceOption(flags),
    ...(flags.allow === undefined ? {} : { allow: flags.allow }),
    ...(flags.yes === undefined ? {} : { yes: flags.yes }),
    ...(flags.dryRun === undefined ? {} : { dryRun: flags.dryRun }),
    // The client brings its own.
    model: 'none',
    askConsent: consent.askConsent,
    onWarning: noteLine,
  });
  const { indexInBackground } = await import('./index-in-background.ts');
  await indexInBackground(kernel, { isLong: true, quiet: true });
  const serving = createServing({
    kernel,
    consent,
    selection: { only: flags.tools, isReadOnly: flags.readOnly },
    isCompact: flags.compact ?? false,
    nowMs: Date.now,
  });
  // A wrong selection is told before a client connects.
  const tools = await serving.tools();
  if (tools.length === 0) throw noTools(flags.tools ?? []);
  const version = programVersion(programPaths());
  const onError = (error: Error): void => note(`note: ${oneLine(error.message)}`);
  if (flags.http === undefined) {
    const { serveStdio } = await import('../mcp/create-server.ts');
    await serveStdio(serving, { version, onError, signal: interrupt.signal });
    return;
  }
  const { serveHttp } = await import('../mcp/serve-http.ts');
  const { httpToken, httpTokenFile } = await import('../mcp/serve-http.ts');
  const { home } = kernel.config;
  await using server = await serveHttp(serving, {
    ...{ port: portOf(flags.http), token: httpToken(home), version, onError },
  });
  note(`serving ${server.url}; clients send the token in ${httpTokenFile(home)}; Ctrl+C ends it`);
  await aborted(interrupt.signal);
}

function portOf(flag: string | true): number {
  if (flag === true) return usualPort;
  const port = Number(flag);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new KernelError('invalid-argument', `--http ${flag} is not a port from 0 to 65535`, {
    hint: `For the usual one: --http ${usualPort}`,
  });
}

function noTools(only: readonly string[]): KernelError {
  const what =
    only.length === 0
      ? 'there are no tools'
      : `no tool is named by --tools ${only.join(' --tools ')}`;
  return new KernelError('not-found', what, { hint: 'See the tools with: cuervo tools' });
}

/** Their setups are in src/mcp/setup-client.ts; the choices are for completion. */
const names = ['claude-code', 'codex', 'vscode', 'zed'];

const setupExamples = `
Examples:
  cuervo mcp setup vscode           what to put into .vscode/mcp.json of this workspace
  cuervo mcp setup codex --write    puts it into ~/.codex/config.toml
`;

function addMcpSetup(mcp: Command): void {
  const client = new Argument('<client>', names.join(', '));
  client.argChoices = names;
  mcp
    .command('setup')
    .description('print what to put where for a client to start cuervo')
    .addArgument(client)
    .option(
      '-w, --workspace <dir>',
      'the folder whose file it is, where the client has one for each',
    )
    .option('--write', 'put it there: shows the difference, and keeps the old file beside it')
    .addHelpText('after', setupExamples)
    .action(setup);
}

async function setup(name: string, flags: { workspace?: string; write?: boolean }): Promise<void> {
  const { setupOf } = await import('../mcp/setup-client.ts');
  await using kernel = await openKernel(workspaceOption(flags));
  const { workspace } = kernel.config;
  const user = homeFolder();
  const config = kernel.config.environment().XDG_CONFIG_HOME || join(user, '.config');
  const { title, file, alone, withCuervo } = setupOf(name, { workspace, user, config });
  if (!flags.write) {
    note(`${title} reads ${oneLine(file)}:`);
    print(alone.trimEnd());
    note(`To put it there: cuervo mcp setup ${name} --write`);
    return;
  }
  refuseLink(file);
  const before = readTextIfPresent(file);
  const after = withCuervo(before ?? '');
  if (after === before) {
    note(`cuervo is in ${oneLine(file)} already`);
    return;
  }
  const bytes = before === undefined ? undefined : Buffer.from(before);
  await showDiffs([{ path: file, before: bytes, after: Buffer.from(after) }], 'stdout');
  mkdirSync(dirname(file), { recursive: true });
  if (before !== undefined) copyFileSync(file, `${file}.before-cuervo`);
  const mode = before === undefined ? 0o644 : lstatSync(file).mode & 0o777;
  writeFileWhole(file, after, { mode });
  note(
    `written to ${oneLine(file)}; ${before === undefined ? 'there was none' : `the old one is ${oneLine(file)}.before-cuervo`}`,
  );
}

/** A link may lead anywhere; whoever made it knows what is to be written there. */
function refuseLink(file: string): void {
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return;
  throw new KernelError('conflict', `${file} is a link, and is left as it is`, {
    hint: 'Put it where the link leads yourself; without --write the text is printed.',
  });
}
