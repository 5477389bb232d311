import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { setConfig } from '../config/change-config.ts';
import { KernelError } from '../contracts/error.ts';
import { type FoundServer, findServers } from '../kernel/models/find-models.ts';
import { openHome } from '../kernel/open-home.ts';
import type { Kernel } from '../kernel.ts';
import { counted } from '../lib/text/amounts.ts';
import { shellWord } from '../lib/text/escape.ts';
import { indexFiles } from './index-workspace.ts';
import { listenForInterrupt } from './interrupt.ts';
import { openKernelFor } from './open-kernel.ts';
import { note, oneLine, print } from './output.ts';

const examples = `
Examples:
  cuervo init                   asks at most three things: model, index, memory
  cuervo init < /dev/null       only says what it found, and the commands

It looks for Ollama, llama-server and LM Studio on this machine, and for keys in the
environment. It writes your answers and nothing else.
`;

/** Models of one server that are shown. */
const maxShown = 9;

type Choice = { model: string; server?: FoundServer };

export function addInitCommand(program: Command): void {
  program
    .command('init')
    .description('find a model, and choose index and memory')
    .option('-w, --workspace <dir>', 'the folder that may be indexed')
    .addHelpText('after', examples)
    .action(async (flags: { workspace?: string }) => void (await init(flags)));
}

/** @returns the model that was chosen; undefined where none was */
export async function init(flags: { workspace?: string }): Promise<string | undefined> {
  using interrupt = listenForInterrupt();
  const { signal } = interrupt;
  const choices = await findChoices(signal);
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true) {
    for (const line of commandsFor(choices)) print(line);
    return undefined;
  }
  let wantsIndex: boolean;
  let model: string | undefined;
  {
    using lines = createInterface({ input: process.stdin, output: process.stderr });
    /** Ctrl+D leaves things as they are. */
    const ask = async (question: string) =>
      (await lines.question(question, { signal }).catch(() => '')).trim();
    await using kernel = await openKernelFor(flags);
    if (choices.length === 0) note(noModel);
    else model = await chooseModel(kernel, choices, ask, signal);
    wantsIndex = /^y(es)?$/i.test(
      await ask(`Index ${oneLine(kernel.config.workspace)}, so that answers find more? [y/n] `),
    );
    const uri = await ask(
      'Memory stays in your home on this machine. Enter, or s3://BUCKET/FOLDER to share it: ',
    );
    if (uri !== '') {
      openHome(kernel.config.home);
      setConfig(kernel.config.home, 'memory.uri', uri);
    }
  }
  if (wantsIndex) await indexFiles(flags);
  note('Ask something: cuervo ask "what is this project?"');
  return model;
}

const noModel =
  'No model was found; answers are passages of your files. docs/models.md says how to get one.';

async function findChoices(signal: AbortSignal): Promise<Choice[]> {
  const servers = await findServers(process.env, signal);
  const served = servers.flatMap((server) =>
    server.models.slice(0, maxShown).map((id) => ({ model: `${server.name}/${id}`, server })),
  );
  const hasKey = (process.env.ANTHROPIC_API_KEY ?? '') !== '';
  return [...served, ...(hasKey ? [{ model: 'claude-sonnet-4-5' }] : [])];
}

async function chooseModel(
  kernel: Kernel,
  choices: readonly Choice[],
  ask: (question: string) => Promise<string>,
  signal: AbortSignal,
): Promise<string | undefined> {
  for (const [at, choice] of choices.entries()) note(`  ${at + 1}  ${oneLine(choiceText(choice))}`);
  note('A server may forward what it gets. Type the number if all of it stays on this machine,');
  const typed = await ask('the number and r if it may not, Enter for no model: ');
  if (typed === '') return undefined;
  const [, number, remote] = /^(\d+)\s*(r?)$/i.exec(typed) ?? [];
  const choice = choices[Number(number) - 1];
  if (choice === undefined) {
    throw new KernelError('invalid-argument', `${JSON.stringify(typed)} is none of the numbers`, {
      hint: 'Run it again: cuervo init',
    });
  }
  const { model, server } = choice;
  if (server !== undefined) {
    const { name, url } = server;
    await kernel.models.add(url, { name, isLocal: remote === '', signal });
  }
  await kernel.models.use(model);
  note(`${oneLine(model)} is used where no other is named`);
  return model;
}

function choiceText({ model, server }: Choice): string {
  return `${model}  (${server === undefined ? 'remote, by ANTHROPIC_API_KEY' : server.url})`;
}

/** For a script, or a person who wants to type them. */
function commandsFor(choices: readonly Choice[]): string[] {
  const servers = new Set(choices.flatMap(({ server }) => server ?? []));
  return [
    choices.length === 0 ? noModel : `found ${counted(choices.length, 'model')}:`,
    ...choices.map((choice) => `  ${oneLine(choiceText(choice))}`),
    'type one of:',
    ...[...servers].map(({ name, url }) => `  cuervo model add ${url} --name ${name}`),
    ...choices.map(({ model }) => `  cuervo model use ${shellWord(model)}`),
    '  cuervo index',
    '  cuervo config set memory.uri s3://BUCKET/FOLDER',
    '  cuervo ask "what is this project?"',
  ];
}
