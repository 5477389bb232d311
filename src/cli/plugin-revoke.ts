import type { Command } from 'commander';
import { workspaceOption } from './kernel-options.ts';
import { openKernel } from './open-kernel.ts';
import { note, print } from './output.ts';

type RevokeFlags = { project?: boolean; workspace?: string };

export function addPluginRevoke(plugin: Command): void {
  plugin
    .command('revoke <plugin> [grant...]')
    .description('revoke grants of a plugin; all of them if you name none')
    .option('--project', 'only grants for this workspace alone')
    .option('-w, --workspace <dir>', 'the workspace that --project means')
    .action(async (name: string, grants: string[], flags: RevokeFlags) => {
      await using kernel = await openKernel(workspaceOption(flags));
      const taken = await kernel.plugins.revoke(name, grants, {
        inProject: flags.project ?? false,
      });
      for (const grant of taken) print(`revoked ${name} ${grant}`);
      if (taken.length === 0) note(`nothing was granted to ${name}`);
    });
}
