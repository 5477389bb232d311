import type { Command } from 'commander';
import { capabilities, capabilityNames, grantForms } from '../contracts/capabilities.ts';
import { matchesTool } from '../contracts/capability.ts';
import type { ListedGrant } from '../contracts/output/parse-plugin-output.ts';
import type { Kernel } from '../kernel.ts';
import { workspaceOption } from './kernel-options.ts';
import { openKernel } from './open-kernel.ts';
import { note, oneLine, print, printEach } from './output.ts';

export function addPluginGrants(plugin: Command): void {
  plugin
    .command('grants [plugin]')
    .description('list what plugins may do, and until when')
    .option('-w, --workspace <dir>', 'the workspace whose own grants are marked as in use')
    .option('--json', 'one object a line')
    .action(async (name: string | undefined, flags: { workspace?: string; json?: boolean }) => {
      await using kernel = await openKernel(workspaceOption(flags));
      const { plugins } = kernel;
      const listed = [...plugins.grants(name), ...(await plugins.sessionGrants(name))];
      printEach(listed, flags, (granted) => grantLine(granted), 'nothing is granted');
    });
}

/** `wordcount  fs:work  1a2b3c4d5e6f  until 2026-11-22 14:05 UTC`. */
function grantLine(listed: ListedGrant): string {
  const { plugin, grant, digest, status, expiresMs, project, session } = listed;
  const inSession = session === undefined ? '' : `  in session ${session}`;
  const place = project === undefined ? '' : `${inSession}  in ${oneLine(project)}`;
  return `${plugin}  ${grant}  ${digest.slice(0, 12)}  ${stateText(status, expiresMs)}${place}`;
}

function stateText(status: ListedGrant['status'], expiresMs: number | undefined): string {
  const end = expiresMs === undefined ? '' : minuteText(expiresMs);
  if (status === 'built-in') return 'built in';
  if (status === 'expired') return `expired ${end}`;
  if (status === 'other-binary') return 'for another binary than the one installed: no effect';
  if (status === 'other-project') return 'for another workspace: no effect here';
  if (status === 'no-root') return 'for a root that does not exist: no effect';
  return end === '' ? 'no end date' : `until ${end}`;
}

function minuteText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

type GrantFlags = { for?: string; project?: boolean; workspace?: string; json?: boolean };

/** What a plugin reaches by the tools that it may call: the most that their own plugins may be granted. */
async function noteUnion(kernel: Kernel, grant: string): Promise<void> {
  const [, glob] = /^tools:(.+)$/.exec(grant) ?? [];
  if (glob === undefined) return;
  const named = (await kernel.tools()).filter(({ name }) => matchesTool(glob, name));
  const plugins = new Set(named.map(({ plugin }) => plugin));
  const wants = kernel.plugins
    .list()
    .filter(({ name }) => plugins.has(name))
    .flatMap(({ capabilities }) => capabilities);
  const can = capabilityNames.filter((each) => wants.includes(each) && each !== 'log');
  note(
    `${grant} names ${named.length} tools, each with what its own plugin was granted. They can:`,
  );
  for (const each of can) note(`  - ${capabilities[each].can}`);
}

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
      printEach(await kernel.plugins.grant(name, grants, options), flags, (granted) =>
        grantLine(granted),
      );
      for (const grant of grants) if (!flags.json) await noteUnion(kernel, grant);
    });
}

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
