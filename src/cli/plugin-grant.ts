import type { Command } from 'commander';
import { grantForms } from '../contracts/capabilities.ts';
import { workspaceOption } from './kernel-options.ts';
import { openKernel } from './open-kernel.ts';
import { print, printJson } from './output.ts';
import { grantLine } from './plugin-grants.ts';

type GrantFlags = { for?: string; project?: boolean; workspace?: string; json?: boolean };

/** The forms of a grant, for the help of the commands that take one. */
export function grantsText(): string {
  return `
Grants: ${grantForms().join(', ')}.
The workspace is the root "work". A plugin can use only what you grant.`;
}

export function addPluginGrant(plugin: Command): void {
  plugin
    .command('grant <plugin> <grant...>')
    .description('grant more to the installed binary, until you revoke it')
    .option('--for <duration>', 'how long: 90s, 30m, 2h, 7d or 2w from now')
    .option('--project', 'in this workspace only')
    .option('-w, --workspace <dir>', 'the workspace that --project means')
    .option('--json', 'one object a line')
    .addHelpText('after', grantsText())
    .action(async (name: string, grants: string[], flags: GrantFlags) => {
      await using kernel = await openKernel(workspaceOption(flags));
      const options = {
        ...(flags.for === undefined ? {} : { duration: flags.for }),
        inProject: flags.project ?? false,
      };
      for (const granted of await kernel.plugins.grant(name, grants, options)) {
        if (flags.json) printJson(granted);
        else print(grantLine(granted));
      }
    });
}
