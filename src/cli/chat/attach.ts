import { KernelError } from '../../contracts/error.ts';
import type { AttachedText } from '../../contracts/events.ts';
import { type AttachedImage, imageTypeNamed } from '../../contracts/model.ts';
import type { JsonObject } from '../../contracts/tool.ts';
import type { Kernel } from '../../kernel.ts';
import { parseContent } from '../../lib/text/parse-json.ts';
import { note, oneLine, print } from '../output.ts';

/** Files that one message can attach. */
const maxAttached = 8;
/** Names that Tab offers. */
const maxNames = 20;
const mention =
  /(?<=^|\s)@((?:[\w.@~+-]+\/)*[\w.@~+-]*[\w~+-])(?::(\d+)(?:-(\d+))?)?(?=$|[\s,;:.?!)])/g;

/**
 * Reads the files that a message names by `@path` or `@path:10-20`, by the tool that reads files:
 * what is protected is refused, and each reading is in the journal. Images are read where the
 * question is answered, since a model has to see.
 *
 * @returns the message with the paths alone, and the texts
 * @throws {KernelError} of the first file that cannot be read; the message is not sent then
 */
export async function attachFiles(
  kernel: Kernel,
  message: string,
  signal: AbortSignal,
): Promise<{ question: string; attached: AttachedText[]; images: AttachedImage[] }> {
  const named = [...message.matchAll(mention)];
  if (named.length > maxAttached) {
    throw new KernelError('invalid-argument', `a message attaches ${maxAttached} files at most`, {
      hint: 'Name a folder in words, and its files are searched.',
    });
  }
  const attached: AttachedText[] = [];
  const images: AttachedImage[] = [];
  for (const [, path = '', from, to = from] of named) {
    if (imageTypeNamed(path) !== undefined) {
      images.push({ path });
      continue;
    }
    const lines = from === undefined ? {} : { start: Number(from), end: Number(to) };
    const content = await resultOf(kernel, 'file.read', { path, ...lines }, signal);
    const { start = 1, lines: text = '' } = content as { start?: number; lines?: string };
    attached.push({ path, line: start, text });
  }
  return { question: message.replace(mention, (found) => found.slice(1)), attached, images };
}

/** Runs a command line that a person typed behind `!`. @returns its output, as evidence */
export async function runTyped(
  kernel: Kernel,
  command: string,
  signal: AbortSignal,
): Promise<AttachedText> {
  const content = await resultOf(kernel, 'shell.run', { command }, signal);
  const {
    exitCode = 0,
    stdout = '',
    stderr = '',
  } = content as {
    exitCode?: number;
    stdout?: string;
    stderr?: string;
  };
  const text = [stdout, stderr].filter((each) => each !== '').join('\n');
  if (text !== '') print(text.trimEnd());
  note(`exit code ${exitCode}; the next question knows this output`);
  return { path: `! ${command}`, line: 1, text: `$ ${command}\n${text}\nexit code ${exitCode}` };
}

/** Paths that go on where a line ends with `@` and the beginning of one. */
export async function completePath(kernel: Kernel, line: string): Promise<string[]> {
  const begun = /(?:^|\s)@([^\s:]*)$/.exec(line)?.[1];
  if (begun === undefined || begun === '') return [];
  const before = line.slice(0, line.length - begun.length);
  const signal = AbortSignal.timeout(2000);
  const input = { pattern: begun, limit: maxNames };
  const found = (await resultOf(kernel, 'file.find', input, signal)) as { paths?: string[] };
  // The editor puts what all have in common in the place of the line.
  const paths = (found.paths ?? []).filter((path) => path.startsWith(begun));
  const all = paths.length > 0 ? paths : (found.paths ?? []).slice(0, 1);
  return all.map((path) => `${before}${oneLine(path)}`);
}

async function resultOf(
  kernel: Kernel,
  tool: string,
  input: JsonObject,
  signal: AbortSignal,
): Promise<unknown> {
  let content: unknown;
  for await (const event of kernel.run(tool, input, { signal, isWhole: true })) {
    if (event.type === 'result') content = parseContent(event.content);
    if (event.type === 'error')
      throw new KernelError(event.code, event.message, { hint: event.hint });
  }
  return content ?? {};
}
