import type { Command } from 'commander';
import { KernelError } from '../contracts/error.ts';
import type { JsonObject } from '../contracts/tool.ts';
import {
  addCommonFlags,
  addDryRunFlag,
  addRecordFlag,
  type CommonFlags,
} from './kernel-options.ts';
import { runTool } from './run.ts';
import { textAt } from './run-input.ts';

const examples = `
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
    .addHelpText('after', examples);
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
