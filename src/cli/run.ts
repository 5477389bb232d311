import type { Command } from 'commander';
import { KernelError } from '../contracts/error.ts';
import { notReadText } from '../contracts/not-read.ts';
import type { JsonObject } from '../contracts/tool.ts';
import type { Kernel } from '../kernel.ts';
import { shellWord } from '../lib/text/escape.ts';
import { listenForInterrupt } from './interrupt.ts';
import {
  addCommonFlags,
  addDryRunFlag,
  addRecordFlag,
  type CommonFlags,
  kernelOptions,
} from './kernel-options.ts';
import { owePlan, oweWork } from './lost-output.ts';
import { afterCommand } from './open-kernel.ts';
import { note, oneLine, print, printJson, tellError } from './output.ts';
import { startProgress } from './progress.ts';
import { resultText } from './result-text.ts';
import { readInput, textAt } from './run-input.ts';
import { showDryRun } from './show-diffs.ts';
import { terminalColumns } from './style.ts';

const examples = `
Examples:
  cuervo run search.grep TODO                 (the one text that the tool requires)
  cuervo run shell.run 'npm test'
  cuervo run search.grep pattern=TODO globs='*.ts' globs='*.md'
  cuervo run search.grep '{"pattern":"TODO"}'
  cuervo run file.read path=README.md start=1 end=20
  cuervo run file.write path=notes.txt text=@draft.txt
  echo '{"text":"one two"}' | cuervo run wordcount.count -
  cuervo run --plugin dist/wordcount.wasm count text='one two'

The tool's result goes to standard output: for a person at a terminal, as the tool gave it
into a pipe or a file. A value that begins with @ is written with @@. The tools: cuervo tools
`;

export function addRunCommand(program: Command): void {
  const command = program
    .command('run [tool] [input...]')
    .description(
      'run one tool; the input is key=value, a text, JSON, @file, or - for standard input',
    )
    .addHelpText('after', examples);
  addRecordFlag(addDryRunFlag(addCommonFlags(command)))
    .option('--plugin <file>', 'a .wasm whose tool it is, used without installing it')
    .action(async (tool: string | undefined, words: string[], flags: RunFlags) => {
      await runTool(tool, words, flags).catch((thrown: unknown) => {
        if (!(thrown instanceof KernelError) || thrown.hint === undefined) throw thrown;
        const { code, message, hint } = thrown;
        throw new KernelError(code, message, { hint: hintOf(hint, flags), cause: thrown });
      });
    });
}

/** The next command when the plugin is a file and not installed. */
function hintOf(hint: string, { plugin }: RunFlags): string {
  if (plugin === undefined) return hint;
  return hint
    .replaceAll('cuervo tools', `cuervo tools --plugin ${shellWord(plugin)}`)
    .replace(/^cuervo plugin grant .+ keeps it, or (?=--allow )/, '');
}

type RunFlags = CommonFlags & { plugin?: string };

export async function runTool(
  named: string | undefined,
  words: string[],
  flags: RunFlags,
): Promise<void> {
  if (named === undefined && flags.plugin === undefined) throw noTool();
  oweWork();
  using interrupt = listenForInterrupt();
  const { openKernel } = await import('../kernel.ts');
  using progress = startProgress(!flags.quiet && !flags.json);
  const plugins = flags.plugin === undefined ? {} : { plugins: [flags.plugin] };
  await using kernel = await openKernel({ ...kernelOptions(flags, progress), ...plugins });
  const [tried] = kernel.plugins.tried();
  // The only tool of a plugin need not be named, so that its input may stand first.
  const isInput = tried?.tools.length === 1 && named !== undefined && /^[{@-]|^[\w-]+=/.test(named);
  const tool = tried === undefined ? (named ?? '') : toolOf(tried, isInput ? undefined : named);
  const given = isInput ? [named, ...words] : words;
  const described = async () => (await kernel.tools()).find(({ name }) => name === tool);
  const schemaOf = async () => (await described())?.inputSchema;
  const input = await readInput(tool, given, schemaOf).catch(async (thrown: unknown) => {
    // A missing tool is reported before a fault of the input.
    if ((await described()) !== undefined) throw thrown;
    return {};
  });
  let run: string | undefined;
  for await (const event of kernel.run(tool, input, { signal: interrupt.signal })) {
    if (event.type === 'plan') owePlan(event);
    if (flags.json) printJson(event);
    else if (event.type === 'step-started') progress.set(event.tool);
    else if (event.type === 'result') {
      progress.clear();
      const columns = terminalColumns();
      if (columns === undefined) print(event.content);
      // Before the content, so that a person sees whether the rest is worth reading.
      if (!flags.quiet) note(oneLine(event.summary));
      const missed = notReadText(event.notRead ?? []);
      if (missed !== undefined && !flags.quiet) note(oneLine(`note: ${missed}`));
      if (columns !== undefined) {
        const schema = (await described())?.outputSchema;
        const text = resultText(event.content, input, columns, schema);
        if (text !== '') process.stdout.write(`${text}\n`);
      }
    } else if (event.type === 'error') {
      progress.clear();
      tellError({ ...event, hint: hintOf(event.hint, flags) }, { json: false });
    }
    if (event.type === 'run-finished') process.exitCode = event.exitCode;
    run = event.run ?? run;
  }
  if (flags.dryRun) await showDryRun(kernel, run, flags);
  await afterCommand(kernel, { signal: interrupt.signal, quiet: flags.quiet });
}

function noTool(): KernelError {
  return new KernelError('invalid-argument', 'run names no tool', {
    hint: 'See the tools with: cuervo tools',
  });
}

/** A tool of a plugin that is named by its file needs only its own name. */
function toolOf(
  tried: ReturnType<Kernel['plugins']['tried']>[number],
  named: string | undefined,
): string {
  const names = tried.tools.map(({ name }) => name);
  const [only = ''] = names;
  if (named === undefined && names.length === 1) return `${tried.name}.${only}`;
  if (named !== undefined) return named.includes('.') ? named : `${tried.name}.${named}`;
  throw new KernelError('invalid-argument', `${tried.name} has ${names.length} tools: name one`, {
    hint: `It has: ${names.join(', ')}`,
  });
}

const scriptExamples = `
Examples:
  cuervo script count.js                      its "return" goes to standard output
  cuervo script rename.js '{"from":"a","to":"b"}' --dry-run
  echo 'return tools.search.files({ pattern: "*.md" })' | cuervo script - --read-only
  cuervo plan --script rename.js              the calls up to its first change

In the script, tools.file.read({ path: "a.md" }) calls a tool and gives its result, "input" is
the JSON (or text) behind the file, and console.log shows a line. The tools: cuervo tools
`;

const tool = 'script.run';

export function addScriptCommand(program: Command): void {
  const command = program
    .command('script <file> [input]')
    .description('run a JavaScript that calls tools; each call is checked, journaled and undoable')
    .addHelpText('after', scriptExamples);
  addRecordFlag(addDryRunFlag(addCommonFlags(command)))
    .option('--read-only', 'refuse every call that is not a read')
    .action(
      async (
        file: string,
        input: string | undefined,
        flags: CommonFlags & { readOnly?: boolean },
      ) => {
        const given = JSON.stringify(await readScript(file, input));
        await runTool(flags.readOnly ? 'script.read' : tool, [given], flags);
      },
    );
}

/**
 * The input of `script.run`.
 *
 * @param file `-` for standard input
 * @param given JSON, `@FILE`, or a text
 * @throws {KernelError} `not-found` for a file
 */
export async function readScript(file: string, given: string | undefined): Promise<JsonObject> {
  const code = await textAt(tool, file === '-' ? '-' : `@${file}`).catch((thrown: unknown) => {
    const { code: why, message } = KernelError.from(thrown, 'internal');
    throw new KernelError(why, message, {
      hint: 'Name the file of a script, or - for standard input.',
    });
  });
  if (given === undefined) return { code };
  const text = given.startsWith('@') ? await textAt(tool, given) : given;
  try {
    return { code, input: JSON.parse(text) };
  } catch {
    return { code, input: text };
  }
}
