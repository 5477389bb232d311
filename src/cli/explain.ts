import type { Command } from 'commander';
import { KernelError } from '../contracts/error.ts';
import type { Explanation } from '../contracts/output/parse-journal.ts';
import { counted } from '../lib/text/amounts.ts';
import { shortenText } from '../lib/text/columns.ts';
import { guardLine } from './call-lines.ts';
import { byText } from './event-text.ts';
import { openKernelFor } from './open-kernel.ts';
import { oneLine, partLines, printOne } from './output.ts';
import { runWords } from './run-line.ts';

const examples = `
Examples:
  cuervo explain             the last run of this workspace
  cuervo explain ID          how it was read, what it used, what was denied, what it cost
  cuervo explain ID --json   all of it
`;

/** Characters of a summary; all of it is in `--json`. */
const maxSummary = 120;
/** Rows of a list that a person is shown; all are in `--json`. */
const maxRows = 20;

type Flags = { workspace?: string; json?: boolean };

export function addExplainCommand(program: Command): void {
  program
    .command('explain [run]')
    .description('why a run did what it did: reading, model, tools, prompts, memory, denials, cost')
    .option('-w, --workspace <dir>', 'the workspace whose last run is meant')
    .option('--json', 'one object')
    .addHelpText('after', examples)
    .action(explain);
}

async function explain(start: string | undefined, flags: Flags): Promise<void> {
  await using kernel = await openKernelFor(flags);
  const named = start ?? (await kernel.undo.allRuns(1))[0]?.run;
  if (named === undefined)
    throw new KernelError('not-found', 'nothing ran in this workspace', {
      hint: 'Name a run by its id, or see those of another workspace: cuervo runs list -w DIR',
    });
  const run = await kernel.journal.find(named);
  const explanation = await kernel.journal.explain(run);
  printOne(explanation, flags, () => explanationText(explanation));
}

function explanationText(explained: Explanation): string {
  const { run, status, durationMs, missing } = explained;
  const took = durationMs === undefined ? '' : ` after ${durationMs} ms`;
  const parts: [string, readonly string[]][] = [
    ['read as', readingLines(explained)],
    ['model', modelLines(explained)],
    ['tools', explained.steps.map(stepLine)],
    ['prompts', promptLines(explained)],
    ['memory', memoryLines(explained)],
    ['allowed', explained.allowed.map(allowedLine)],
    ['denied', explained.denied.map(deniedLine)],
    ['guard', explained.guard.map(guardLine)],
    ['answer', answerLines(explained)],
    ['cost', [costLine(explained.cost)]],
    ['missing', missing],
  ];
  const lines = partLines(parts, { width: 8, maxRows });
  return [`${run}  ${runWords(explained)}: ${status}${took}`, ...lines].join('\n');
}

function readingLines({ reading }: Explanation): string[] {
  if (reading === undefined) return [];
  const { kind, others, images = [] } = reading;
  return [
    others.length === 0 ? kind : `${kind}; it could be ${others.join(', ')}, too`,
    ...images.map(({ source, bytes }) => `image ${source}, ${bytes} bytes`),
  ];
}

function modelLines({ model: { name, from, answered } }: Explanation): string[] {
  const named = from === undefined ? name : `${name}, named by ${from}`;
  const others = answered.filter((each) => each !== name);
  return [others.length === 0 ? named : `${named}; answered: ${others.join(', ')}`];
}

function stepLine(step: Explanation['steps'][number]): string {
  const { step: id, tool, status, durationMs, calls, insteadOf, summary } = step;
  const instead = insteadOf === undefined ? '' : ` in place of ${insteadOf}, which failed`;
  const head = `${id} ${tool} ${status} in ${durationMs} ms, ${counted(calls, 'host call')}${instead}`;
  return summary === '' ? head : `${head}: ${shortenText(oneLine(summary), maxSummary)}`;
}

function promptLines({ requests, shortened }: Explanation): string[] {
  const lines = requests.map(({ round, inputTokens, outputTokens, stop = '', prompt, purpose }) => {
    const head = `${purpose === undefined ? round : 'summing up'}: ${inputTokens} tokens in, ${outputTokens} out, ${stop}`;
    if (prompt === undefined) return head;
    const { messages, tools, leftOut } = prompt;
    const cut = Object.entries(leftOut).filter(([, many]) => many > 0);
    const without = cut.map(([what, many]) => `${many} ${what}`).join(', ');
    const made = `${counted(messages, 'message')}, ${counted(tools, 'tool')}`;
    return `${head}; ${made}${without === '' ? '' : `; no room for ${without}`}`;
  });
  if (shortened > 0) lines.push(`made shorter ${shortened} times`);
  return lines;
}

function memoryLines({ memory: { read, written } }: Explanation): string[] {
  return [
    ...read.map(
      ({ id, layer, score, used }) =>
        `${id} of ${layer}, ${score.toFixed(3)}${used ? ', used' : ', not used'}`,
    ),
    ...written.map(({ id, layer, kind }) => `wrote ${kind} ${id} into ${layer}`),
  ];
}

function allowedLine({ plugin, grant, by, times }: Explanation['allowed'][number]): string {
  return `${plugin} used ${grant} ${counted(times, 'time')}, by ${byText[by]}`;
}

function deniedLine({ step, call, target, times }: Explanation['denied'][number]): string {
  return `${step} ${call} ${target}, ${counted(times, 'time')}`;
}

function answerLines({ answer, error }: Explanation): string[] {
  const lines: string[] = [];
  if (answer !== undefined)
    lines.push(
      `${answer.mode}, from ${counted(answer.places, 'place')}${answer.stop === undefined ? '' : `; the model ${answer.stop}`}`,
    );
  if (error !== undefined) lines.push(`${error.code}: ${error.message}`);
  return lines;
}

function costLine(cost: Explanation['cost']): string {
  const { requests, inputTokens, cachedTokens, outputTokens, usd, unpriced } = cost;
  const time = `${cost.toolMs} ms in tools`;
  if (requests === 0) return `no request to a model; ${time}`;
  const money = usd === undefined ? 'price unknown' : `$${usd.toFixed(4)}`;
  const part = usd === undefined || unpriced === 0 ? '' : ` and ${unpriced} of unknown price`;
  const tokens = `${inputTokens} tokens in (${cachedTokens} out of a cache), ${outputTokens} out`;
  return `${counted(requests, 'request')}: ${tokens}, ${money}${part}; ${cost.modelMs} ms at the model, ${time}`;
}
