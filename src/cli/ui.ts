import type { Command } from 'commander';
import { KernelError } from '../contracts/error.ts';
import type { PageParts } from '../kernel/page/create-page-views.ts';
import type { Kernel } from '../kernel.ts';
import { counted } from '../lib/text/amounts.ts';
import { aborted, listenForInterrupt } from './interrupt.ts';
import { workspaceOption } from './kernel-options.ts';
import { openKernel } from './open-kernel.ts';
import { note, noteLine, oneLine, print } from './output.ts';

const examples = `
Examples:
  cuervo ui                     prints an address for your browser; Ctrl+C ends it
  cuervo ui --open              opens it in your browser
  cuervo ui --export report     writes report/index.html, which needs no server
`;

type Flags = { workspace?: string; port?: string; open?: boolean; export?: string };

const jobRuns = 50;

export function addUiCommand(program: Command): void {
  program
    .command('ui')
    .description('show what happened in this workspace as a page on this machine; it only reads')
    .option('-w, --workspace <dir>', 'the folder whose runs and memory are shown')
    .option('--port <n>', 'the port to serve it on (default: any that is free)')
    .option('--open', 'open it in your browser')
    .option('--export <dir>', 'write it as a file instead, with the newest 100 runs')
    .addHelpText('after', examples)
    .action(show);
}

async function show(flags: Flags): Promise<void> {
  using interrupt = listenForInterrupt();
  const { signal } = interrupt;
  const port = portOf(flags.port);
  const { openPage, exportPage } = await import('../kernel/page/open-page.ts');
  const { eventWords } = await import('./event-text.ts');
  await using kernel = await openKernel({
    ...workspaceOption(flags),
    onWarning: noteLine,
    model: 'none',
  });
  const parts: PageParts = { describe: eventWords, jobs: () => jobsOf(kernel), signal };
  if (flags.export !== undefined) {
    const { file, runs, isWhole } = await exportPage(kernel, parts, flags.export);
    print(file);
    if (!isWhole) note(`note: it shows the newest ${counted(runs, 'run')}`);
    return;
  }
  const onOpened = (): void => note(`opened; for another tab: ${page.address()}`);
  const onError = (error: Error): void => note(`note: ${oneLine(error.message)}`);
  await using page = await openPage(kernel, parts, { port, onOpened, onError });
  print(page.address());
  note('Open it in your browser; each address opens one tab. Ctrl+C ends it.');
  const { openInBrowser } = await import('./start-program.ts');
  using _opened = flags.open ? openInBrowser(page.address(), kernel.config.home) : undefined;
  await aborted(signal);
}

async function jobsOf(kernel: Kernel): ReturnType<PageParts['jobs']> {
  const { listJobs } = await import('../../scheduler/list-jobs.ts');
  const jobs = await listJobs(kernel);
  return { jobs, log: (await kernel.jobs.book()).log({ limit: jobRuns }) };
}

function portOf(flag: string | undefined): number {
  if (flag === undefined) return 0;
  const port = Number(flag);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new KernelError('invalid-argument', `--port ${flag} is not a port from 0 to 65535`, {
    hint: 'Leave it out for any that is free: cuervo ui',
  });
}
