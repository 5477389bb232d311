import type { Command } from 'commander';
import { KernelError } from '../contracts/error.ts';
import type { JsonObject } from '../contracts/tool.ts';
import { inputTooLarge, maxInputBytes } from '../contracts/tool-input.ts';
import { parseExactJson } from '../lib/parse-exact-json.ts';
import { readAll } from '../lib/read-all.ts';
import { reasonOf } from '../lib/reason-of.ts';
import { afterCommand } from './after-command.ts';
import { listenForInterrupt } from './interrupt.ts';
import {
  addCommonFlags,
  addDryRunFlag,
  type CommonFlags,
  kernelOptions,
} from './kernel-options.ts';
import { owePlan, oweWork } from './lost-output.ts';
import { note, oneLine, print, printJson, tellError } from './output.ts';
import { startProgress } from './progress.ts';
import { showDryRun } from './show-dry-run.ts';

const examples = `
Examples:
  cuervo run search.grep '{"pattern":"TODO"}'
  cuervo run file.read '{"path":"README.md","start":1,"end":20}'
  echo '{"text":"one two"}' | cuervo run wordcount.count -

The tool's result goes to standard output. The tools: cuervo tools
`;

export function addRunCommand(program: Command): void {
  const command = program
    .command('run <tool> [input]')
    .description('run one tool; the input is JSON, - reads it from standard input')
    .addHelpText('after', examples);
  addDryRunFlag(addCommonFlags(command)).action(
    async (tool: string, input: string | undefined, flags: CommonFlags) => {
      await runTool(tool, parseInput(await inputText(tool, input)), flags);
    },
  );
}

async function runTool(tool: string, input: JsonObject, flags: CommonFlags): Promise<void> {
  oweWork();
  using interrupt = listenForInterrupt();
  const { openKernel } = await import('../kernel.ts');
  using progress = startProgress(!flags.quiet && !flags.json);
  await using kernel = await openKernel(kernelOptions(flags, progress));
  let run: string | undefined;
  for await (const event of kernel.run(tool, input, { signal: interrupt.signal })) {
    if (event.type === 'plan') owePlan(event);
    if (flags.json) printJson(event);
    else if (event.type === 'step-started') progress.set(event.tool);
    else if (event.type === 'result') {
      progress.clear();
      print(event.content);
      if (!flags.quiet) note(oneLine(event.summary));
    } else if (event.type === 'error') {
      progress.clear();
      tellError(event, { json: false });
    }
    if (event.type === 'run-finished') process.exitCode = event.exitCode;
    run = event.run ?? run;
  }
  if (flags.dryRun) await showDryRun(kernel, run, flags);
  await afterCommand(kernel, { signal: interrupt.signal, quiet: flags.quiet });
}

/** JSON may write one character as six, so that a text of this size can still be within the limit. */
const maxStdinBytes = maxInputBytes * 6;

async function inputText(tool: string, input = '{}'): Promise<string> {
  if (input !== '-') return input;
  const tooLarge = () => inputTooLarge(tool, `more than ${maxStdinBytes} bytes`);
  return (await readAll(process.stdin, maxStdinBytes, tooLarge)).toString('utf8');
}

function parseInput(text: string): JsonObject {
  let value: unknown;
  try {
    value = parseExactJson(text);
  } catch (thrown) {
    const reason = reasonOf(thrown);
    throw new KernelError('invalid-argument', `the input is not JSON: ${reason}`, {
      cause: thrown,
      hint: `Quote it for the shell, e.g. cuervo run search.grep '{"pattern":"TODO"}'`,
    });
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as JsonObject;
  throw new KernelError('invalid-argument', 'the input is no JSON object', {
    hint: `An object looks like '{"pattern":"TODO"}'.`,
  });
}
