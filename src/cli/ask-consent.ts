import { createInterface, type Interface } from 'node:readline';
import type { AskConsent, ConsentAnswer, ConsentRequest } from '../contracts/consent.ts';
import type { KernelOptions } from '../kernel.ts';
import { wrapText } from '../lib/text/columns.ts';
import { serializeQuestions } from './ask-person.ts';
import { holdNotes } from './output.ts';
import { showExact } from './show-exact.ts';
import { diffLine } from './style.ts';

/** Time for input that was typed before the question; it does not answer it. */
const drainMs = 50;
const ctrlC = 3;
/** Used when a terminal does not know its own width. */
const usualColumns = 80;
/** After so many invalid lines the answer is no. */
const maxTries = 10;

const answers: Readonly<
  Record<string, Exclude<ConsentAnswer, { answer: 'edit' | 'edit-text' | 'each' }>>
> = {
  y: { answer: 'once' },
  yes: { answer: 'once' },
  t: { answer: 'task' },
  s: { answer: 'session' },
  p: { answer: 'project' },
  n: { answer: 'no' },
  no: { answer: 'no' },
};

export type Terminal = { input: NodeJS.ReadStream; output: NodeJS.WriteStream };

/**
 * Asks on standard error and reads from the terminal. Only a typed answer allows: an empty line
 * asks again; Ctrl+D, Ctrl+C and the end of the terminal are no. Ctrl+C also ends the run.
 *
 * @returns undefined unless both ends are a terminal
 */
export function createAskConsent(
  { input, output }: Terminal,
  onInterrupt: () => void,
): AskConsent | undefined {
  if (input.isTTY !== true || output.isTTY !== true) return undefined;
  return (request, { signal }) =>
    serializeQuestions(async () => {
      // Loaded by the first question; before the drain, so that nothing typed meanwhile answers it.
      const { answersTo, consentQuestion, consentText, editedText } = await import(
        './consent-text.ts'
      );
      const question = {
        known: answersTo(request),
        after: editedText(request.effect),
        text: consentQuestion(request, output.columns || usualColumns),
        whole: () => consentText(request, output.columns || usualColumns),
      };
      using _held = holdNotes();
      await drain(input, onInterrupt);
      const lines = createInterface({ input, output, terminal: true, historySize: 0 });
      const readLine = lineReader(lines, { output, signal, onInterrupt });
      const { after } = question;
      const edit = async (): Promise<Uint8Array | undefined> => {
        if (after === undefined || request.effect.capability !== 'fs-write') return undefined;
        const { editText } = await import('./start-program.ts');
        // Input belongs to the editor until it ends.
        lines.pause();
        input.setRawMode(false);
        const edited = await editText(after, request.effect.change.path);
        input.setRawMode(true);
        lines.resume();
        if ('text' in edited) return edited.text;
        output.write(`${edited.failure}\n`);
        return undefined;
      };
      try {
        return await ask(request, question, output, { readLine, edit });
      } finally {
        lines.close();
      }
    });
}

type ReadLine = (prompt: string, prefilled?: string) => Promise<string | undefined>;

async function ask(
  request: ConsentRequest,
  { known, text, whole }: { known: readonly string[]; text: string; whole(): string },
  output: NodeJS.WriteStream,
  { readLine, edit }: { readLine: ReadLine; edit(): Promise<Uint8Array | undefined> },
): Promise<ConsentAnswer> {
  const show = (lines: string): unknown =>
    output.write(lines.replace(/^ {8}[+-] \|.*$/gm, (line) => signed(line)));
  show(text);
  for (let tries = 0; tries < maxTries; tries += 1) {
    const typed = await readLine(`[${known.join('/')}/?] `);
    if (typed === undefined) return { answer: 'no' };
    const word = typed.trim().toLowerCase();
    if (word === '?') {
      show(whole());
      continue;
    }
    if (word === 'e' && request.covers !== undefined) return { answer: 'each' };
    if (word === 'e' && known.includes('e') && request.effect.capability === 'exec') {
      const args = await editArguments(request.effect.args, output, readLine);
      if (args !== undefined) return { answer: 'edit', args };
    }
    if (word === 'e' && request.effect.capability === 'fs-write') {
      const after = await edit();
      if (after !== undefined) return { answer: 'edit-text', after };
    }
    const answer = answers[word];
    if (answer !== undefined && known.includes(word.charAt(0))) return answer;
    output.write(`Type one of ${known.join(', ')}, then Enter.\n`);
  }
  return { answer: 'no' };
}

/** A removed or added line of a diff in its colour. */
function signed(line: string): string {
  return line.slice(0, 8) + diffLine(line.slice(8), 'stderr');
}

/** The vector as a line of JSON, to be changed; undefined when it was left empty. */
async function editArguments(
  args: readonly string[],
  output: NodeJS.WriteStream,
  readLine: ReadLine,
): Promise<string[] | undefined> {
  let text = `[${args.map((arg) => showExact(arg)).join(', ')}]`;
  for (let tries = 0; tries < maxTries; tries += 1) {
    const typed = await readLine('arguments: ', text);
    if (typed === undefined || typed.trim() === '') return undefined;
    const parsed = parseArguments(typed);
    if (parsed !== undefined) return parsed;
    output.write(
      'That is not a JSON array of strings, such as ["log", "--oneline"]. An empty line goes back.\n',
    );
    text = typed;
  }
  return undefined;
}

function parseArguments(text: string): string[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) && value.every((each) => typeof each === 'string')
      ? value
      : undefined;
  } catch {
    return undefined;
  }
}

/** Lines one by one; undefined once there will be none: end of input, Ctrl+C, an aborted run. */
function lineReader(
  lines: Interface,
  options: { output: NodeJS.WriteStream; signal: AbortSignal; onInterrupt: () => void },
): ReadLine {
  const { output, signal, onInterrupt } = options;
  const closed = Promise.withResolvers<undefined>();
  let waiting = false;
  const close = (): void => {
    // The next output starts on a line of its own.
    if (waiting) output.write('\n');
    waiting = false;
    closed.resolve(undefined);
  };
  lines.once('close', close);
  signal.addEventListener('abort', close, { once: true });
  if (signal.aborted) close();
  lines.on('SIGINT', () => {
    close();
    onInterrupt();
  });
  return (prompt, prefilled) => {
    const line = new Promise<string>((resolve) => {
      lines.once('line', (typed) => {
        waiting = false;
        resolve(typed);
      });
    });
    waiting = true;
    lines.setPrompt(prompt);
    lines.prompt();
    if (prefilled !== undefined) lines.write(prefilled);
    return Promise.race([line, closed.promise]);
  };
}

/** In raw mode, so that half a line is read too. */
async function drain(input: NodeJS.ReadStream, onInterrupt: () => void): Promise<void> {
  const drop = (chunk: Buffer): void => {
    if (chunk.includes(ctrlC)) onInterrupt();
  };
  input.setRawMode(true);
  input.on('data', drop);
  input.resume();
  await new Promise((resolve) => setTimeout(resolve, drainMs));
  input.off('data', drop);
  input.pause();
  input.setRawMode(false);
}

/**
 * Asks on standard error and reads from the terminal; only a typed word answers.
 *
 * @param onInterrupt called for Ctrl+C, which answers nothing
 * @returns undefined unless both ends are a terminal
 */
export function createAskYesNo(
  { input, output }: Terminal,
  onInterrupt: () => void,
): KernelOptions['askYesNo'] {
  if (input.isTTY !== true || output.isTTY !== true) return undefined;
  return (text, { signal }) =>
    serializeQuestions(async () => {
      using _held = holdNotes();
      await drain(input, onInterrupt);
      const lines = createInterface({ input, output, terminal: true, historySize: 0 });
      const readLine = lineReader(lines, { output, signal, onInterrupt });
      const width = (output.columns || usualColumns) - 1;
      for (const line of text.split('\n')) {
        const [indent = ''] = /^ */.exec(line) ?? [];
        output.write(`${wrapText(indent, line, width).join('\n')}\n`);
      }
      try {
        for (;;) {
          const word = (await readLine('[y/n] '))?.trim().toLowerCase();
          if (word === undefined) return undefined;
          if (['y', 'yes', 'n', 'no'].includes(word)) return word.startsWith('y');
        }
      } finally {
        lines.close();
      }
    });
}
