import type { Command } from 'commander';
import { listenForInterrupt } from './interrupt.ts';
import { openKernel } from './open-kernel.ts';
import { note, oneLine, printOne } from './output.ts';
import { consentOf } from './plugin-install.ts';

type Flags = { replay?: boolean; yes?: boolean; json?: boolean };

/** The newest runs of a plugin that its new version answers again. */
const maxReplayed = 5;

export function addPluginUpdate(plugin: Command): void {
  plugin
    .command('update [name]')
    .description('show what changed at the source of a plugin, or of all, and ask before taking it')
    .option('--replay', 'show first whether it would have done the same in its 5 newest runs')
    .option('-y, --yes', 'accept every difference as shown')
    .option('--json', 'one object a line')
    .action(async (name: string | undefined, flags: Flags) => {
      using interrupt = listenForInterrupt();
      await using kernel = await openKernel();
      const { signal } = interrupt;
      const consent = consentOf(kernel, { yes: flags.yes, verb: 'Update' }, signal);
      const updated = await kernel.plugins.update(name, {
        ...{ signal, consent, replay: flags.replay ? maxReplayed : undefined },
      });
      for (const each of updated) {
        printOne(each, flags, lineOf(each));
        if (each.outcome === 'failed' && !flags.json) note(`hint: ${oneLine(each.hint ?? '')}`);
        if (each.outcome === 'failed') process.exitCode = 1;
      }
      if (updated.length === 0 && !flags.json) note('no plugin is installed');
    });
}

function lineOf({
  name,
  outcome,
  from,
  to,
  reason,
}: {
  name: string;
  outcome: string;
  from: string;
  to?: string;
  reason?: string;
}): string {
  const why = reason === undefined ? '' : `: ${oneLine(reason)}`;
  if (outcome === 'updated') return `updated ${name} from ${from} to ${to}`;
  if (outcome === 'current') return `${name} ${from} is what its source has${why}`;
  if (outcome === 'declined') return `${name} stays at ${from}`;
  return `${name} stays at ${from}${why}`;
}

export function addPluginRollback(plugin: Command): void {
  plugin
    .command('rollback <name>')
    .description('go back to the version before, with the grants that it held')
    .option('--json', 'the plugin as one object')
    .action(async (name: string, flags: { json?: boolean }) => {
      using interrupt = listenForInterrupt();
      await using kernel = await openKernel();
      const { record, grants, told } = await kernel.plugins.rollback(name, {
        signal: interrupt.signal,
      });
      for (const line of told) note(line);
      printOne(
        kernel.plugins.list().find((each) => each.name === name),
        flags,
        `${name} is ${record.version} again; granted: ${grants.join(', ') || 'nothing'}`,
      );
    });
}
