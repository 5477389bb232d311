import type { Command } from 'commander';
import { KernelError } from '../contracts/error.ts';
import type { Kernel } from '../kernel.ts';
import { shortenText } from '../lib/text/columns.ts';
import { isAgreed, requireTerminal } from './ask-person.ts';
import { collect } from './kernel-options.ts';
import { withKernel } from './open-kernel.ts';
import { note, oneLine, print, printEach, printJson } from './output.ts';

type Offered = Parameters<Parameters<Kernel['servers']['add']>[1]['consent']>[0];
type SignIn = Parameters<Kernel['servers']['login']>[1]['signIn'];
type Listed = ReturnType<Kernel['servers']['list']>[number];

const addExamples = `
Examples:
  cuervo mcp add files --grant fs:work -- mcp-server-filesystem work:
  cuervo mcp add tracker --grant http:https://api.example.org --secret TRACKER_TOKEN -- tracker-mcp
  cuervo mcp add files --grant fs:work npm:@modelcontextprotocol/server-filesystem work:
  cuervo mcp add tracker --project          what .mcp.json of this workspace names so
  cuervo mcp add docs https://mcp.example.org/mcp
`;

const grantsText = `
Grants: fs:ROOT reads a root, fs-write:ROOT writes it, http:ORIGIN talks to an origin,
call:TOOL calls a tool without a question. An argument that begins with work: is the
workspace, wherever it lies in the sandbox.`;

const clientIdText = 'as which its authorization server knows cuervo';

/** Columns of a description in a list; `cuervo tools NAME` shows all of it. */
const shownWords = 120;

type AddFlags = {
  project?: string | true;
  grant?: string[];
  env?: string[];
  secret?: string[];
  reads?: string[];
  clientId?: string;
  workspace?: string;
  yes?: boolean;
  json?: boolean;
};

export function addMcpServers(mcp: Command): void {
  mcp
    .command('add <name> [source...]')
    .description('add the MCP server of others: a command, a package of npm, or an address')
    .option('--project [name]', 'the server that .mcp.json of the workspace names so')
    .option('--grant <grant>', 'what it may do from now on, e.g. fs:work (repeatable)', collect)
    .option('--env <variable>', 'NAME=VALUE, or NAME for your own value (repeatable)', collect)
    .option('--secret <name>', 'a kept secret, as the variable of its name (repeatable)', collect)
    .option('--reads <tool>', 'a tool that only reads: nobody is asked (repeatable)', collect)
    .option('--client-id <id>', clientIdText)
    .option('-w, --workspace <dir>', 'the workspace that work: means')
    .option('-y, --yes', 'accept what it offers as shown')
    .option('--json', 'the added server as one object')
    .addHelpText('after', grantsText + addExamples)
    .action((name: string, source: string[], flags: AddFlags) =>
      withKernel(flags, async (kernel, signal) => {
        const { grant = [], env = [], secret = [], reads = [] } = flags;
        const project = flags.project === true ? name : flags.project;
        const request = {
          ...{ name, source, grants: grant, env, secrets: secret, reads },
          ...(project === undefined ? {} : { project }),
        };
        const consent = consentOf('Add', flags.yes, signal);
        const start = consentOf('Start', flags.yes, signal);
        using signIn = signInOf(kernel, flags, signal);
        const added = await kernel.servers.add(request, { consent, start, signIn, signal });
        if (flags.json) printJson(added);
        else print(`added ${name}: ${toolNames(added)}`);
      }),
    );
  mcp
    .command('list')
    .description('list the MCP servers that were added')
    .option('--json', 'one object a line')
    .action((flags: { json?: boolean }) =>
      withKernel({}, async (kernel) => {
        printEach(kernel.servers.list(), flags, listLine, 'no MCP server was added');
        for (const line of await projectLines(kernel)) note(line);
      }),
    );
  mcp
    .command('show <name>')
    .description('what a server is, may do and offers')
    .option('--json', 'as one object')
    .action((name: string, flags: { json?: boolean }) =>
      withKernel({}, async (kernel) => {
        const server = kernel.servers.show(name);
        if (flags.json) printJson(server);
        else for (const line of serverLines(server)) print(line);
      }),
    );
  mcp
    .command('test <name>')
    .description('start a server and compare what it offers with what you agreed to')
    .option('-w, --workspace <dir>', 'the workspace that work: means')
    .action((name: string, flags: { workspace?: string }) =>
      withKernel(flags, async (kernel, signal) => {
        const found = await kernel.servers.test(name, { signal });
        if (found.printed.trim() !== '') note(`it printed: ${oneLine(found.printed.trim())}`);
        for (const line of [...found.leftOut.map(leftOutLine), ...changeLines(found)]) note(line);
        const changes = found.changes.length === 0 ? 'as agreed' : 'not as agreed';
        print(`${name} answers: ${found.tools.length} tools, ${changes}`);
        if (found.changes.length > 0) throw changed(name);
      }),
    );
  mcp
    .command('accept <name>')
    .description('agree to what a server offers now')
    .option('--reads <tool>', 'the tools that only read, in place of those before', collect)
    .option('-w, --workspace <dir>', 'the workspace that work: means')
    .option('-y, --yes', 'accept the difference as shown')
    .action((name: string, flags: AddFlags) =>
      withKernel(flags, async (kernel, signal) => {
        const accepted = await kernel.servers.accept(name, {
          ...{ consent: consentOf('Accept', flags.yes, signal), signal },
          ...(flags.reads === undefined ? {} : { reads: flags.reads }),
        });
        print(`accepted ${name}: ${toolNames(accepted)}`);
      }),
    );
  mcp
    .command('login <name>')
    .description('sign in at a server elsewhere, in your browser')
    .option('--client-id <id>', clientIdText)
    .option('-y, --yes', 'agree to where it signs in')
    .action((name: string, flags: AddFlags) =>
      withKernel({}, async (kernel, signal) => {
        using signIn = signInOf(kernel, flags, signal);
        await kernel.servers.login(name, { signIn, signal });
        print(`signed in at ${name}`);
      }),
    );
  mcp
    .command('remove <name>')
    .description('remove a server, its files and its grants')
    .action((name: string) =>
      withKernel({}, async (kernel) => {
        await kernel.servers.remove(name);
        print(`removed ${name}`);
      }),
    );
}

function toolNames({ name, tools }: Pick<Listed, 'name' | 'tools'>): string {
  return tools.map((tool) => `${name}.${tool.name}`).join(', ') || 'no tool';
}

function listLine(server: Listed): string {
  const { name, tools, off, grants } = server;
  const count =
    off.length === 0 ? `${tools.length} tools` : `${tools.length} tools, ${off.length} off`;
  return `${name}  ${oneLine(sourceText(server))}  ${count}  ${grants.join(' ') || 'no grants'}`;
}

/** What the project names is told beside the list, for none of it is used yet. */
async function projectLines(kernel: Kernel): Promise<string[]> {
  try {
    const { servers, leftOut } = await kernel.servers.project();
    return [
      ...servers.flatMap(({ name, source, env, state }) => {
        if (state === 'used') return [];
        const what = [...source, ...env.map((each) => `--env ${each}`)].join(' ');
        const add =
          state === 'not used'
            ? `use it with: cuervo mcp add NAME --project ${name}`
            : 'what you agreed to stays in use; remove it and add it again for this';
        return [`.mcp.json names ${name}, ${state}: ${what}`, `  ${add}`].map(oneLine);
      }),
      ...leftOut.map(leftOutLine),
    ];
  } catch (thrown) {
    if (thrown instanceof KernelError) return [oneLine(thrown.message)];
    throw thrown;
  }
}

function sourceText({ definition: { source } }: Pick<Listed, 'definition'>): string {
  if (source.kind === 'remote') return source.url;
  if (source.kind === 'command') return source.command.join(' ');
  return [`npm:${source.package}@${source.version}`, ...source.args].join(' ');
}

function serverLines(server: Listed): string[] {
  const { name, definition, digest, grants, tools, reads, off } = server;
  const { env, secrets } = definition;
  const { source } = definition;
  const width = Math.max(0, ...tools.map((tool) => tool.name.length));
  return [
    `${name}  ${oneLine(sourceText(server))}`,
    `digest     ${digest}`,
    ...(source.kind === 'package' ? [`packages   ${source.registry}, lock ${source.lock}`] : []),
    `grants     ${grants.join(' ') || 'none: no file and no network'}`,
    `variables  ${Object.keys(env).join(' ') || 'none'}`,
    `secrets    ${secrets.join(' ') || 'none'}`,
    ...tools.map(({ name: tool, description }) => {
      const state = off.includes(tool) ? 'off' : reads.includes(tool) ? 'reads' : 'asked';
      return `${state.padEnd(5)}  ${tool.padEnd(width)}  ${shortenText(oneLine(description), shownWords)}`;
    }),
  ];
}

function leftOutLine(text: string): string {
  return `not used: ${oneLine(text)}`;
}

function changeLines({ changes }: Pick<Offered, 'changes'>): string[] {
  return changes.flatMap(({ tool, change, text }) => {
    const [before = '', after] = text.split('\n');
    if (after === undefined) return [`${change}: ${tool}`, `  ${oneLine(before)}`];
    return [`${change}: ${tool}`, `- ${oneLine(before)}`, `+ ${oneLine(after)}`];
  });
}

/** Shows what a server offers and may do, and asks. */
function consentOf(
  verb: 'Start' | 'Add' | 'Accept',
  yes: boolean | undefined,
  signal: AbortSignal,
): (offered: Offered) => Promise<boolean> {
  return async (offered) => {
    const { name, grants, tools, leftOut, definition } = offered;
    if (verb === 'Start' && yes === true) return true;
    note(`MCP server ${name}: ${oneLine(sourceText(offered))}`);
    const isRemote = definition.source.kind === 'remote';
    const { source } = definition;
    if (source.kind === 'package')
      note(`  installed from ${source.registry}, without its scripts; lock ${source.lock}`);
    const variables = Object.entries(definition.env)
      .map(([key, value]) => (value === null ? `${key} (your value)` : `${key}=${value}`))
      .join(', ');
    if (variables !== '') note(`  it gets the variables ${oneLine(variables)}`);
    const held = grants.join(' ') || 'no file and no network';
    note(
      isRemote ? '  it runs elsewhere, and gets the calls alone' : `  in the sandbox, with ${held}`,
    );
    if (verb === 'Accept') for (const line of changeLines(offered)) note(`  ${line}`);
    else
      for (const tool of tools)
        note(`  ${tool.name}  ${shortenText(oneLine(tool.description), shownWords)}`);
    for (const text of leftOut) note(`  ${leftOutLine(text)}`);
    if (verb !== 'Start')
      note('  The words are the server’s; each call is asked about until you grant call:TOOL.');
    return yes === true || (await askPerson(`${verb} ${name}?`, signal));
  };
}

/** The person's browser, and a yes for each origin that a sign-in leads to. */
function signInOf(
  kernel: Kernel,
  { clientId, yes }: AddFlags,
  signal: AbortSignal,
): SignIn & Disposable {
  const kept = new DisposableStack();
  return {
    agree: async ({ name, origin }) => {
      note(`MCP server ${name} signs people in at ${oneLine(origin)}`);
      return yes === true || (await askPerson('Sign in there?', signal));
    },
    show: async (address) => {
      note(`To sign in, open: ${oneLine(address)}`);
      if (!process.stderr.isTTY) return;
      const { openInBrowser } = await import('./start-program.ts');
      kept.use(openInBrowser(address, kernel.config.home));
    },
    ...(clientId === undefined ? {} : { clientId }),
    [Symbol.dispose]: () => kept.dispose(),
  };
}

/** No answer, or no terminal, is no. */
async function askPerson(question: string, signal: AbortSignal): Promise<boolean> {
  requireTerminal(
    new KernelError('permission-denied', 'this needs a yes, and there is no terminal', {
      hint: 'Read what is above and repeat the command with --yes.',
    }),
  );
  return await isAgreed(question, signal);
}

function changed(name: string): KernelError {
  return new KernelError('conflict', `${name} does not offer what you agreed to`, {
    hint: `Accept it with: cuervo mcp accept ${name}`,
  });
}
