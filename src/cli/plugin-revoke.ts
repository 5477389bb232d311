import type { Command } from 'commander';
import { note, print } from './output.ts';

export function addPluginRevoke(plugin: Command): void {
  plugin
    .command('revoke <plugin> [grant...]')
    .description('take grants of a plugin back, all of them when none is named')
    .action(async (name: string, grants: string[]) => {
      const { openKernel } = await import('../kernel.ts');
      await using kernel = await openKernel();
      const taken = await kernel.plugins.revoke(name, grants);
      for (const grant of taken) print(`revoked ${name} ${grant}`);
      if (taken.length === 0) note(`nothing was granted to ${name}`);
    });
}
