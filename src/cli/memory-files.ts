import { createReadStream, statSync } from 'node:fs';
import type { Command } from 'commander';
import { KernelError } from '../contracts/error.ts';
import type { MemoryRecord } from '../contracts/memory.ts';
import { maxSourceBytes } from '../contracts/memory-store.ts';
import type { Added } from '../contracts/output/parse-memory.ts';
import { readAll, withTypedPath } from '../lib/files/read-file.ts';
import { counted } from '../lib/text/amounts.ts';
import { decodeUnlessBinary, readLines } from '../lib/text/decode-text.ts';
import { shellWord } from '../lib/text/escape.ts';
import { emptyText, parseLayer } from './memory-options.ts';
import { withKernel } from './open-kernel.ts';
import { note, oneLine, print, printJson, printOne, unreadableLine } from './output.ts';
import { startProgress } from './progress.ts';

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
  await withKernel(flags, async (kernel, signal) => {
    let done: Added;
    {
      using progress = startProgress(flags.json !== true);
      const onProgress = ({ added, unchanged, chunks }: Added, source: string) =>
        progress.set(
          `${counted(added + unchanged, 'file')}, ${counted(chunks, 'piece')}: ${source}`,
        );
      done =
        path === '-'
          ? await kernel.memoryCommands.addText(await readText(), flags.source ?? '', {
              signal,
            })
          : await kernel.memoryCommands.addPath(path, { signal, onProgress });
    }
    if (flags.json) printJson(done);
    else tell(done, path);
  });
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

type ExportFlags = { workspace?: string; all?: boolean; layer?: string };

const batchRows = 1_000;
const hint = 'Name a file that cuervo memory export wrote, or - for standard input.';

export function addMemoryMove(memory: Command): void {
  memory
    .command('export')
    .description('every row as one line of JSON, whole, oldest first')
    .option('-w, --workspace <dir>', 'the folder whose memory it is')
    .option('--all', 'of every workspace')
    .option('--layer <name>', 'only interact, insights or assets')
    .action(exportRows);
  memory
    .command('import <file>')
    .description('rows that were exported, from a file or standard input (-)')
    .option('--json', 'the number of rows as one object')
    .action(importRows);
}

async function exportRows(flags: ExportFlags): Promise<void> {
  const { layer } = flags;
  await withKernel(flags, async (kernel, signal) => {
    const filter = {
      ...(flags.all ? {} : { project: kernel.config.workspace }),
      ...(layer === undefined ? {} : { layer: parseLayer(layer) }),
    };
    const memory = await kernel.memory();
    let rows = 0;
    for await (const { id, record } of memory.rows(filter, { signal })) {
      printJson({ id, ...record });
      rows += 1;
    }
    if (rows === 0) note(emptyText(flags, layer !== undefined));
  });
}

async function importRows(file: string, flags: { json?: boolean }): Promise<void> {
  if (file !== '-') checkFile(file);
  const { maxRowCharacters, parseMemoryRow } = await import('../contracts/output/parse-memory.ts');
  await withKernel({}, async (kernel, signal) => {
    const memory = await kernel.memory();
    let records: MemoryRecord[] = [];
    let rows = 0;
    const keep = async () => {
      await memory.remember(records, { signal });
      rows += records.length;
      records = [];
    };
    let number = 0;
    try {
      for await (const line of linesOf(file, maxRowCharacters)) {
        number += 1;
        if (line.trim() === '') continue;
        records.push(parseMemoryRow(line, `${file}:${number}`));
        if (records.length >= batchRows) await keep();
      }
      await keep();
    } catch (thrown) {
      // They can be imported again: a row that comes twice is stored once.
      if (rows > 0) note(`note: the first ${counted(rows, 'row')} were imported, the rest was not`);
      throw thrown;
    }
    printOne({ rows }, flags, `imported ${counted(rows, 'row')}`);
  });
}

/** Reading a pipe without a writer would wait for ever; `-` reads standard input. */
function checkFile(file: string): void {
  const found = withTypedPath(file, (path) => statSync(path, { throwIfNoEntry: false }));
  if (found === undefined) throw new KernelError('not-found', `there is no file ${file}`, { hint });
  if (!found.isFile()) {
    throw new KernelError('invalid-argument', `${file} is not a regular file`, { hint });
  }
}

async function* linesOf(
  file: string,
  maxCharacters: number,
): AsyncGenerator<string, void, undefined> {
  const input = file === '-' ? process.stdin : createReadStream(file);
  try {
    yield* readLines(input.setEncoding('utf8'), maxCharacters);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === undefined) throw thrown;
    throw new KernelError('not-found', `${file} cannot be read`, {
      cause: thrown,
      hint,
    });
  }
}
