import { type Command, Option } from 'commander';
import { KernelError } from '../contracts/error.ts';
import type { AuditReport } from '../contracts/output/parse-journal.ts';
import { counted } from '../lib/text/amounts.ts';
import { addFamilyExamples } from './command-families.ts';
import { openKernelFor } from './open-kernel.ts';
import { note, oneLine, print, printOne } from './output.ts';

const examples = `
Examples:
  cuervo audit verify                     whether the journal is whole
  cuervo audit export > journal.jsonl     all of it, with its proof
  cuervo audit key > audit.pem            the public key, for whoever checks an export
  cuervo audit verify --export journal.jsonl --key audit.pem
`;

export function addAuditCommand(program: Command): void {
  const audit = program.command('audit').description('prove that the journal was not changed');
  addFamilyExamples(audit, examples);
  audit
    .command('verify')
    .description('follow the chain of events to its signed end; exit code 1 when it is broken')
    .option('--export <file>', 'check an export instead; no home is needed')
    .option('--key <file>', 'the public key of whoever made the export')
    .option('--json', 'one object')
    .action(verify);
  audit
    .command('export')
    .description('print all events with their proof')
    .addOption(new Option('--csv', 'as a table').conflicts('jsonl'))
    .option('--jsonl', 'as lines of JSON (default)')
    .action(exportAll);
  audit.command('key').description('print the public key, as PEM').action(showKey);
}

async function verify(flags: { export?: string; key?: string; json?: boolean }): Promise<void> {
  const { export: path, key } = flags;
  const report = path === undefined ? await verifyHome(key) : await verifyExport(path, key);
  if (!report.whole) process.exitCode = 1;
  printOne(report, flags, () => reportText(report));
}

async function verifyHome(key: string | undefined): Promise<AuditReport> {
  if (key !== undefined) throw wrongUse('--key is for an export');
  await using kernel = await openKernelFor({});
  return await kernel.journal.verify();
}

async function verifyExport(path: string, key: string | undefined): Promise<AuditReport> {
  if (key === undefined) throw wrongUse('--export needs --key, the public key of who made it');
  const { verifyFile } = await import('../kernel/journal/verify-file.ts');
  return await verifyFile(path, key);
}

function wrongUse(text: string): KernelError {
  return new KernelError('invalid-argument', text, {
    hint: 'cuervo audit verify --export FILE --key PUB',
  });
}

function reportText({ whole, events, heads, unsigned, problems, notes }: AuditReport): string {
  const ends = `${counted(heads, 'signed end')}, ${counted(unsigned, 'event')} behind the last`;
  const lines = [
    ...problems.map(({ seq, problem }) =>
      oneLine(`broken: ${seq === 0 ? '' : `event ${seq}: `}${problem}`),
    ),
    ...notes.map((text) => oneLine(`note: ${text}`)),
    `${whole ? 'whole' : 'not whole'}: ${counted(events, 'event')}, ${ends}`,
  ];
  return lines.join('\n');
}

async function exportAll(flags: { csv?: boolean }): Promise<void> {
  await using kernel = await openKernelFor({});
  const lines = await kernel.journal.export(flags.csv ? 'csv' : 'jsonl');
  let waiting = '';
  for (const line of lines) {
    waiting += `${line}\n`;
    if (waiting.length < pieceLength) continue;
    await written(waiting);
    waiting = '';
  }
  await written(waiting);
}

/** Characters that are written at once. */
const pieceLength = 64 * 1024;

/** A journal may be larger than the memory: the reader sets the pace. */
async function written(text: string): Promise<void> {
  if (process.stdout.write(text)) return;
  await new Promise<void>((resolve) => void process.stdout.once('drain', resolve));
}

async function showKey(): Promise<void> {
  await using kernel = await openKernelFor({});
  print((await kernel.journal.publicKey()).trimEnd());
  note('note: whoever checks an export needs this key from you, not from the export');
}
