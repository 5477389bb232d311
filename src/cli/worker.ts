import type { Command } from 'commander';
import type { FleetJob } from '../contracts/output/parse-jobs.ts';
import { listenForInterrupt } from './interrupt.ts';
import { note, oneLine, print, printJson } from './output.ts';

const examples = `
Examples:
  cuervo worker                    takes jobs of the fleet until Ctrl+C, which lets them end
  cuervo worker --until-empty      ends when no job is left
  cuervo worker --json             a line for each job that ended

It fetches the repositories that [fleet] repositories of your config.toml names, and does with
them what this home grants: docs/fleet.md
`;

type Flags = { json?: boolean; quiet?: boolean; untilEmpty?: boolean };

export function addWorkerCommand(program: Command): void {
  program
    .command('worker')
    .description('take jobs of a fleet from the database of your team')
    .option('--until-empty', 'end when no job is left')
    .option('-q, --quiet', 'print failures only')
    .option('--json', 'one job a line')
    .addHelpText('after', examples)
    .action(work);
}

async function work(flags: Flags): Promise<void> {
  using interrupt = listenForInterrupt();
  const { serveFleet } = await import('../kernel/fleet/fleet-commands.ts');
  await serveFleet({
    signal: interrupt.signal,
    isUntilEmpty: flags.untilEmpty === true,
    kernel: {},
    onStart: (text) => {
      if (!flags.quiet) note(text);
    },
    onEnd: ({ id, run, repository, retries }, finished, worker) => {
      const { outcome, code, summary, commit, durationMs } = finished;
      const ended: FleetJob = {
        ...{ run, job: id, repository, outcome, summary, commit, worker },
        ...(code === undefined ? {} : { code }),
        ...{ attempts: retries + 1, durationMs: Math.round(durationMs) },
      };
      if (flags.json) printJson(ended);
      else if (!flags.quiet || outcome !== 'ok')
        print(`${outcome.padEnd(8)}${oneLine(repository)}: ${oneLine(summary)}`);
    },
    onNote: (text) => {
      if (!flags.quiet) note(oneLine(text));
    },
  });
}
