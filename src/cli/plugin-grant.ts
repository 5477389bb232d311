import type { Command } from 'commander';
import { print, printJson } from './output.ts';
import { grantLine } from './plugin-grants.ts';

export function addPluginGrant(plugin: Command): void {
  plugin
    .command('grant <plugin> <grant...>')
    .description('let the binary that is installed now do more, until you revoke it')
    .option('--for <duration>', 'until then only: 90s, 30m, 2h, 7d or 2w from now')
    .option('--json', 'one object a line')
    .action(async (name: string, grants: string[], flags: { for?: string; json?: boolean }) => {
      const { openKernel } = await import('../kernel.ts');
      await using kernel = await openKernel();
      const duration = flags.for === undefined ? {} : { duration: flags.for };
      for (const granted of await kernel.plugins.grant(name, grants, duration)) {
        if (flags.json) printJson(granted);
        else print(grantLine(granted));
      }
    });
}
