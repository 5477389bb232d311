import { createInterface } from 'node:readline';
import type { KernelOptions } from '../kernel.ts';
import { wrapText } from '../lib/text/columns.ts';
import { drain, type Terminal, usualColumns } from './ask-consent.ts';
import { inTurn } from './in-turn.ts';
import { holdNotes } from './output.ts';

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
    inTurn(async () => {
      using _held = holdNotes();
      await drain(input, onInterrupt);
      const lines = createInterface({ input, output, terminal: true, historySize: 0 });
      lines.on('SIGINT', () => {
        lines.close();
        onInterrupt();
      });
      const width = (output.columns || usualColumns) - 1;
      for (const line of text.split('\n')) {
        const [indent = ''] = /^ */.exec(line) ?? [];
        output.write(`${wrapText(indent, line, width).join('\n')}\n`);
      }
      try {
        for (;;) {
          const typed = await nextLine(lines, signal);
          const word = typed?.trim().toLowerCase();
          if (word === undefined) return undefined;
          if (['y', 'yes', 'n', 'no'].includes(word)) return word.startsWith('y');
        }
      } finally {
        lines.close();
      }
    });
}

function nextLine(
  lines: ReturnType<typeof createInterface>,
  signal: AbortSignal,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const close = (): void => resolve(undefined);
    lines.once('close', close);
    signal.addEventListener('abort', close, { once: true });
    lines.question('[y/n] ', resolve);
  });
}
