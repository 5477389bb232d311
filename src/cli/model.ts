import type { Command } from 'commander';
import { KernelError } from '../contracts/error.ts';
import type { ListedModel, ModelScore } from '../contracts/output/parse-model.ts';
import type { TestForecast } from '../kernel/models/create-model.ts';
import { sizeText } from '../lib/text/amounts.ts';
import { escapeLine, shellWord } from '../lib/text/escape.ts';
import { createAskYesNo } from './ask-consent.ts';
import { addFamilyExamples } from './command-families.ts';
import { tellFinding } from './doctor.ts';
import { listenForInterrupt } from './interrupt.ts';
import { addModelPullCommand } from './model-pull.ts';
import { openKernel } from './open-kernel.ts';
import { note, print, printJson } from './output.ts';
import { startProgress } from './progress.ts';

const examples = `
Examples:
  cuervo model add http://127.0.0.1:11434/v1     Ollama, llama-server, LM Studio, vLLM, …
  cuervo model add https://openrouter.ai/api/v1 --name openrouter   (OPENROUTER_API_KEY)
  cuervo model add ./qwen3-4b.gguf --name qwen
  cuervo model pull hf:Qwen/Qwen3-4B-GGUF        the one file, or Q4_K_M of several
  cuervo model pull hf:Qwen/Qwen3-4B-GGUF:Q8_0   another one, by the end of its name
  cuervo model pull https://example.org/m.gguf --sha256 0a1b…
  cuervo model list
  cuervo model use ollama/qwen3:4b               from now on, where --model is not given
  cuervo model show claude-sonnet-4-5            context, tools, price
  cuervo model test ./SmolLM2-135M-Instruct.Q4_1.gguf
  cuervo model remove ollama
  cuervo model status                            which are left alone after failures
  cuervo model reset ollama/qwen3:4b             asks it again at once
`;

const testNote = `
The test asks for 60 tool choices and 12 answers from given lines, after it measured how fast
the model is here. It says first how long it takes, or what it costs. After Ctrl+C the same
command goes on where it stopped. The result is kept with the digest of the file and this
machine. By it, "ask" lets the model choose tools and word answers, lets it word answers only,
or shows the passages alone, and makes prompts for a first word within models.first-token-ms.
`;

export function addModelCommand(program: Command): void {
  const command = program.command('model').description('add, bring, list, choose and test models');
  addFamilyExamples(command, examples);
  command
    .command('add <source>')
    .description('add a server by its address, or a GGUF file by its path')
    .option('--name <name>', 'the first part of the names of its models, or the name of the file')
    .option('--model <model>', 'a model of a server that gives no list of them')
    .option('--context <tokens>', 'of its models whose context the server does not say')
    .option('--local', 'data sent to this server stays on this machine')
    .option('--remote', 'data sent to it leaves this machine, or may')
    .option('--vision', 'its models read images, where it does not say')
    .option('--json', 'one model a line')
    .action(add);
  addModelPullCommand(command);
  command
    .command('list')
    .description('models that were added or chosen')
    .option('--json', 'one object a line')
    .action(list);
  command
    .command('use <model>')
    .description('use a model wherever none is named; none takes the choice back')
    .option('--json', 'the model as one object')
    .action(use);
  command
    .command('show <model>')
    .description('what is known of a model: where it is, context, tools, price')
    .option('--json', 'one object')
    .action(show);
  command
    .command('remove <name>')
    .description('forget a server, a file or the choice')
    .option('--file', 'also delete the file, where it was brought by model pull')
    .action(async (name: string, flags: { file?: boolean }) => {
      await using kernel = await openKernel();
      const { isDeleted, keptPath } = await kernel.models.remove(name, {
        withFile: flags.file === true,
      });
      print(`forgot ${name}${isDeleted ? ', and deleted its file' : ''}`);
      if (keptPath !== undefined) note(`its file stays: ${keptPath}`);
    });
  command
    .command('status')
    .description('whether models are asked, or left alone after failures; asks none')
    .option('--json', 'one finding a line')
    .action(async (flags: { json?: boolean }) => {
      await using kernel = await openKernel();
      const found = await kernel.models.status();
      for (const each of found) tellFinding(each, flags);
      if (found.length === 0 && !flags.json) note('no model is in use: cuervo init');
    });
  command
    .command('reset <model>')
    .description('ask a model again that is left alone after failures')
    .action(async (model: string) => {
      await using kernel = await openKernel();
      await kernel.models.reset(model);
      print(`${model} is asked again`);
    });
  command
    .command('test <model>')
    .description('measure a model, and find out what it can be trusted with')
    .option('--json', 'the score as one object')
    .addHelpText('after', testNote)
    .action(async (model: string, flags: { json?: boolean }) => {
      using interrupt = listenForInterrupt();
      using progress = startProgress(!flags.json);
      await using kernel = await openKernel({ model });
      const score = await kernel.testModel({
        signal: interrupt.signal,
        onForecast: (forecast) => {
          progress.clear();
          note(forecastText(forecast));
        },
        onProgress: ({ label, done, total }) => progress.set(`${done}/${total} ${label}`),
      });
      progress.clear();
      if (flags.json) printJson({ model, ...score });
      else for (const line of scoreLines(score)) print(line);
    });
}

type AddFlags = {
  name?: string;
  model?: string;
  context?: string;
  local?: boolean;
  remote?: boolean;
  vision?: boolean;
  json?: boolean;
};

async function add(source: string, flags: AddFlags): Promise<void> {
  if (flags.local && flags.remote) {
    throw new KernelError('invalid-argument', '--local and --remote say opposite things', {
      hint: 'Give one of them, or none to be asked.',
    });
  }
  using interrupt = listenForInterrupt();
  const terminal = { input: process.stdin, output: process.stderr };
  const askYesNo = createAskYesNo(terminal, () => process.emit('SIGINT'));
  await using kernel = await openKernel({
    onWarning: (text) => note(`note: ${text}`),
    ...(askYesNo === undefined || flags.json ? {} : { askYesNo }),
  });
  const isLocal = flags.local ? true : flags.remote ? false : undefined;
  const { name, model, vision: sees } = flags;
  const contextTokens = tokensOf(flags.context);
  const { signal } = interrupt;
  const how = { name, model, contextTokens, isLocal, sees, signal };
  const added = await kernel.models.add(source, how);
  for (const each of added.models.slice(0, flags.json ? undefined : maxShown)) tell(each, flags);
  if (flags.json) return;
  const more = added.models.length - maxShown;
  if (more > 0) print(`and ${more} more: cuervo model list`);
  const [first] = added.models;
  const unsaid = added.models.find((each) => each.contextTokens === undefined);
  if (unsaid !== undefined)
    note(
      `${source} does not say the context of ${unsaid.model}, which is asked for again when it is used; if you know it, add it so: cuervo model add ${shellWord(source)} --context TOKENS`,
    );
  if (first === undefined) note(`${added.name} has no models yet`);
  else note(`use one with: cuervo model use ${first.model}`);
}

const leastContext = 256;

function tokensOf(typed: string | undefined): number | undefined {
  if (typed === undefined) return undefined;
  const tokens = Number(typed.replace(/[_,]/g, ''));
  if (Number.isInteger(tokens) && tokens >= leastContext) return tokens;
  throw new KernelError('invalid-argument', `--context takes tokens, not "${typed}"`, {
    hint: `Write a whole number of ${leastContext} or more: --context 32768`,
  });
}

/** Models of a server that are shown when it is added; some have hundreds. */
const maxShown = 20;

async function list(flags: { json?: boolean }): Promise<void> {
  await using kernel = await openKernel();
  const models = await kernel.models.list();
  for (const each of models) tell(each, flags);
  if (models.length > 0 || flags.json) return;
  note('no model was added; add a server with: cuervo model add http://127.0.0.1:11434/v1');
}

async function use(model: string, flags: { json?: boolean }): Promise<void> {
  await using kernel = await openKernel({ onWarning: (text) => note(`note: ${text}`) });
  const used = await kernel.models.use(model);
  if (flags.json) printJson(used);
  else if (model === 'none') print('no model is chosen');
  else print(`${model} is used where no other is named`);
}

async function show(model: string, flags: { json?: boolean }): Promise<void> {
  await using kernel = await openKernel();
  const found = await kernel.models.show(model);
  if (flags.json) {
    printJson(found);
    return;
  }
  print(`model    ${found.model}${found.chosen ? ' (chosen)' : ''}`);
  print(`where    ${found.where}, ${found.remote ? 'remote' : 'on this machine'}`);
  const { contextTokens, tools, role } = found;
  print(`context  ${contextTokens === undefined ? 'unknown' : `${contextTokens} tokens`}`);
  print(
    `tools    ${tools === undefined ? 'tried when it is used' : tools ? 'yes' : 'in its prompt'}`,
  );
  print(`images   ${found.sees === true ? 'yes' : 'no, as far as it is known'}`);
  print(`price    ${priceText(found)}`);
  const { speed, from } = found;
  if (speed !== undefined) {
    const { readTokensPerSecond: read, writeTokensPerSecond: write } = speed;
    print(`speed    reads ${read} and writes ${write} tokens a second here`);
  }
  if (from !== undefined) {
    print(`from     ${escapeLine(from.source)}, licence ${escapeLine(from.licence ?? 'not said')}`);
  }
  print(`tested   ${role === undefined ? `no: cuervo model test ${model}` : roleTexts[role]}`);
}

function tell(model: ListedModel, flags: { json?: boolean }): void {
  if (flags.json) {
    printJson(model);
    return;
  }
  const { contextTokens, remote, chosen } = model;
  const context = contextTokens === undefined ? '' : `  ${contextTokens} tokens`;
  const where = remote ? `remote, ${priceText(model)}` : 'on this machine';
  print(`${chosen ? '*' : ' '} ${model.model}${context}  ${where}`);
}

function priceText({ price, remote }: ListedModel): string {
  if (!remote) return 'none, it runs on this machine';
  if (price === undefined) return 'price unknown';
  const cached = price.cached === undefined ? '' : `, $${price.cached} cached`;
  return `$${price.input} in, $${price.output} out${cached} for a million tokens`;
}

const roleTexts = {
  choose: 'it may choose tools and word answers',
  word: 'it may word answers; the tools are chosen by rules',
  none: 'the passages are shown without its words',
} as const;

/** The cost of a test, on one line. */
function forecastText({ choices, answers, known, seconds, usd }: TestForecast): string {
  const takes =
    seconds !== undefined
      ? `, about ${timeText(seconds)}`
      : usd !== undefined
        ? `, about $${usd.toFixed(usd < 0.01 ? 4 : 2)}`
        : ', at an unknown price';
  const before = known > 0 ? `; ${known} of them are known of an earlier start` : '';
  return `the test asks for ${choices} tool choices and ${answers} answers${takes}${before}`;
}

function* scoreLines(score: ModelScore): Generator<string> {
  const { choose, none, word, charsPerSecond, role, measured, reach } = score;
  yield `tool choices  ${Math.round(choose * 60)} of 60 (${Math.round(none * 10)} of 10 where no tool fits)`;
  yield `answers       ${Math.round(word * 12)} of 12, ${Math.round(charsPerSecond)} characters a second`;
  if (measured !== undefined) {
    const { prefill, decode, memoryBytes, trainedTokens, contextTokens } = measured;
    yield `speed         reads ${Math.round(prefill)} and writes ${Math.round(decode)} tokens a second`;
    yield `memory        ${sizeText(memoryBytes)}`;
    yield `context       ${contextTokens} of ${trainedTokens} tokens${measured.hasTemplate ? '' : '; its file has no chat template, so a plain form is used'}`;
  }
  if (reach !== undefined) {
    const { promptTokens, answerTokens, rounds, tools, firstTokenMs } = reach;
    yield `questions     ${promptTokens} tokens of prompt, ${answerTokens} of answer, ${tools} tools, ${rounds === 1 ? '1 round' : `${rounds} rounds`}`;
    yield `first word    after at most ${timeText(firstTokenMs / 1_000)}`;
  }
  yield `role          ${role}: ${roleTexts[role]}`;
}

function timeText(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.ceil(seconds))} s`;
  return `${Math.ceil(seconds / 60)} min`;
}
