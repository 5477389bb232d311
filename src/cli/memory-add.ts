import type { Command } from 'commander';
import { KernelError } from '../contracts/error.ts';
import { maxSourceBytes } from '../contracts/memory-sources.ts';
import type { Added } from '../contracts/output/parse-memory.ts';
import { readAll } from '../lib/files/read-file.ts';
import { counted } from '../lib/text/amounts.ts';
import { decodeUnlessBinary } from '../lib/text/decode-text.ts';
import { shellWord } from '../lib/text/escape.ts';
import { afterCommand } from './after-command.ts';
import { listenForInterrupt } from './interrupt.ts';
import { openKernelFor } from './open-kernel.ts';
import { note, oneLine, print, printJson } from './output.ts';
import { startProgress } from './progress.ts';
import { unreadableLine } from './unreadable-line.ts';

type Flags = { workspace?: string; source?: string; json?: boolean };

export function addMemoryAdd(memory: Command): void {
  memory
    .command('add <path>')
    .description('read a file, a folder or standard input (-) of the workspace into memory')
    .option('-w, --workspace <dir>', 'the folder that the path belongs to')
    .option('--source <name>', 'name of the text on standard input; memory forget takes it')
    .option('--json', 'the result as one object')
    .action(add);
}

async function add(path: string, flags: Flags): Promise<void> {
  if (path === '-' && (flags.source ?? '').trim() === '') {
    throw new KernelError('invalid-argument', 'a text from standard input needs a name', {
      hint: 'Name it: cuervo memory add - --source notes/monday.md',
    });
  }
  if (path !== '-' && flags.source !== undefined) {
    throw new KernelError('invalid-argument', '--source names standard input, not a file', {
      hint: `Leave out --source: cuervo memory add ${shellWord(path)}`,
    });
  }
  using interrupt = listenForInterrupt();
  const { signal } = interrupt;
  await using kernel = await openKernelFor(flags);
  let done: Added;
  {
    using progress = startProgress(flags.json !== true);
    const onProgress = ({ added, unchanged, chunks }: Added, source: string) =>
      progress.set(`${counted(added + unchanged, 'file')}, ${counted(chunks, 'piece')}: ${source}`);
    done =
      path === '-'
        ? await kernel.memoryCommands.addText(await readText(), flags.source ?? '', {
            signal,
          })
        : await kernel.memoryCommands.addPath(path, { signal, onProgress });
  }
  if (flags.json) printJson(done);
  else tell(done, path);
  await afterCommand(kernel, { signal });
}

async function readText(): Promise<string> {
  const bytes = await readAll(process.stdin, maxSourceBytes, () => {
    const message = `standard input has more than ${maxSourceBytes} bytes, the limit of one text`;
    return new KernelError('resource-exhausted', message, {
      hint: 'Split it, and give each part its own --source.',
    });
  });
  const text = decodeUnlessBinary(bytes);
  if (text === undefined) {
    throw new KernelError('invalid-argument', 'standard input is not text: it holds zero bytes', {
      hint: 'Convert it to text first, e.g. pdftotext FILE - | cuervo memory add - --source NAME',
    });
  }
  return text;
}

function tell(done: Added, path: string): void {
  const { added, unchanged, skipped, unreadable, chunks, removed } = done;
  print(`added ${counted(added, 'file')} in ${counted(chunks, 'piece')} from ${oneLine(path)}`);
  if (unchanged > 0) print(`unchanged: ${counted(unchanged, 'file')}`);
  if (removed > 0) print(`removed missing files: ${counted(removed, 'piece')}`);
  if (skipped > 0) note(`skipped, not text or larger than 16 MB: ${counted(skipped, 'file')}`);
  if (unreadable > 0) note(unreadableLine(done));
}
