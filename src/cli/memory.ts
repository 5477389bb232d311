import type { Command } from 'commander';
import { KernelError } from '../contracts/error.ts';
import type { MemoryHit } from '../contracts/memory.ts';
import { ageText } from '../lib/age-text.ts';
import { listenForInterrupt } from './interrupt.ts';
import { oneLine, print, printJson } from './output.ts';

const examples = `
Examples:
  cuervo memory search "release day"
  cuervo memory search --all "release day" --json
`;

export function addMemoryCommand(program: Command): void {
  program
    .command('memory')
    .description('search what was said before')
    .addHelpText('afterAll', examples)
    .command('search <query...>')
    .description('earlier turns of this workspace that match, best first')
    .option('-w, --workspace <dir>', 'the folder whose turns are searched')
    .option('--all', 'turns of every workspace')
    .option('-n, --limit <n>', 'at most this many (1 to 32)', '10')
    .option('--json', 'one hit a line, with every factor of its score')
    .action(search);
}

type SearchFlags = { workspace?: string; all?: boolean; limit: string; json?: boolean };

async function search(words: string[], flags: SearchFlags): Promise<void> {
  using interrupt = listenForInterrupt();
  const limit = Number(flags.limit);
  if (!Number.isInteger(limit) || limit < 1 || limit > 32) {
    throw new KernelError('invalid-argument', `--limit ${flags.limit} is no number from 1 to 32`, {
      hint: 'For five hits: --limit 5',
    });
  }
  const { openKernel } = await import('../kernel.ts');
  const { workspace } = flags;
  await using kernel = await openKernel(workspace === undefined ? {} : { workspace });
  const memory = await kernel.memory();
  // Everything in one index, so that all scores are of one kind.
  await memory.flush({ signal: interrupt.signal });
  const project = flags.all ? {} : { project: kernel.config.workspace };
  const query = { text: words.join(' '), limit, ...project };
  const hits = await memory.search(query, { signal: interrupt.signal });
  if (hits.length === 0) {
    throw new KernelError('not-found', `no earlier turn matches "${oneLine(query.text)}"`, {
      hint: flags.all ? 'Use other words.' : 'Search every workspace with --all.',
    });
  }
  for (const hit of hits) {
    if (flags.json) printJson(hit);
    else printHit(hit);
  }
}

function printHit(hit: MemoryHit): void {
  const head = `${hit.score.toFixed(2)}  ${hit.layer}  ${hit.kind}  ${ageText(Date.now() - hit.ts)}`;
  const text = oneLine(hit.text);
  print(`${head}\n  ${text.length > 300 ? `${text.slice(0, 299)}…` : text}`);
}
