import type { Command } from 'commander';
import { KernelError } from '../contracts/error.ts';
import type { Kernel } from '../kernel.ts';
import { isAgreed, requireTerminal } from './ask-person.ts';
import { listenForInterrupt } from './interrupt.ts';
import { collect, workspaceOption } from './kernel-options.ts';
import { openKernel } from './open-kernel.ts';
import { note, oneLine, print, printJson, printOne } from './output.ts';
import { grantsText } from './plugin-grants.ts';

type Flags = {
  grant?: string[];
  as?: string;
  replace?: boolean;
  keepData?: boolean;
  locked?: boolean;
  project?: boolean;
  workspace?: string;
  yes?: boolean;
  json?: boolean;
};

export function addPluginInstall(plugin: Command): void {
  plugin
    .command('install [source]')
    .description('show the label of a plugin, ask, and install it')
    .option('--grant <grant>', 'what it may do from now on, e.g. fs:work (repeatable)', collect)
    .option('--as <name>', 'give it another name')
    .option('--replace', 'take the place of a plugin of that name from another source')
    .option('--keep-data', 'hand over what the plugin before it kept (with --replace)')
    .option('--project', 'put it into plugins.lock of the workspace, too')
    .option('--locked', 'install what plugins.lock of the workspace, or of the home, names')
    .option('-w, --workspace <dir>', 'the workspace that --project and --locked mean')
    .option('-y, --yes', 'accept the label as shown; grants nothing by itself')
    .option('--json', 'the installed plugin as one object')
    .addHelpText('after', grantsText())
    .action(async (source: string | undefined, flags: Flags) => {
      using interrupt = listenForInterrupt();
      await using kernel = await openKernel(workspaceOption(flags));
      if (flags.locked) return await installLocked(kernel, source, flags, interrupt.signal);
      if (source === undefined) {
        throw new KernelError('invalid-argument', 'no source is named', {
          hint: 'Name a .wasm, a folder, https://…, npm:NAME or oci://REGISTRY/NAME; or use --locked.',
        });
      }
      const { as, replace, keepData } = flags;
      const record = await kernel.plugins.install(source, {
        signal: interrupt.signal,
        grants: flags.grant ?? [],
        ...(as === undefined ? {} : { as }),
        ...(replace === undefined ? {} : { replace }),
        ...(keepData === undefined ? {} : { keepData }),
        consent: consentOf(kernel, { yes: flags.yes, verb: 'Install' }, interrupt.signal),
      });
      if (flags.project) kernel.plugins.lock(record.name);
      tellInstalled(kernel, record.name, flags);
    });
}

async function installLocked(
  kernel: Kernel,
  source: string | undefined,
  { yes, json, grant, as }: Flags,
  signal: AbortSignal,
): Promise<void> {
  if (source !== undefined || grant !== undefined || as !== undefined) {
    throw new KernelError('invalid-argument', '--locked takes no source, no --grant and no --as', {
      hint: 'The lock names the sources; grant afterwards with: cuervo plugin grant NAME GRANT',
    });
  }
  const consent = consentOf(kernel, { yes, verb: 'Install' }, signal);
  for (const { name, version, outcome } of await kernel.plugins.installLocked({
    signal,
    consent,
  })) {
    if (outcome === 'installed' || json) tellInstalled(kernel, name, { ...(json && { json }) });
    else print(`${name} ${version} is already there`);
  }
}

function tellInstalled(kernel: Kernel, name: string, { json }: { json?: boolean }): void {
  const listed = kernel.plugins.list().find((each) => each.name === name);
  if (json) printJson(listed);
  else if (listed !== undefined)
    print(`installed ${listed.name} ${listed.version}: ${listed.tools.join(', ')}`);
}

/** Shows the label and what changes, and asks. */
function consentOf(
  kernel: Kernel,
  { yes, verb }: { yes: boolean | undefined; verb: 'Install' | 'Update' },
  signal: AbortSignal,
): Parameters<Kernel['plugins']['install']>[1]['consent'] {
  return async (report, granted, update) => {
    note(kernel.plugins.label(report));
    for (const line of update) note(line);
    note(`Granted now: ${granted.join(', ') || 'nothing'}`);
    return yes === true || (await askPerson(verb, report.name ?? report.file, signal));
  };
}

/** No answer, or no terminal, is no. */
async function askPerson(verb: string, name: string, signal: AbortSignal): Promise<boolean> {
  const what = verb === 'Install' ? 'installing' : 'updating';
  const message = `${what} a plugin needs a yes, and there is no terminal`;
  const hint = 'Read the label above and repeat the command with --yes.';
  requireTerminal(new KernelError('permission-denied', message, { hint }));
  return await isAgreed(`${verb} ${oneLine(name)}?`, signal);
}

type UpdateFlags = { replay?: boolean; yes?: boolean; json?: boolean };

/** The newest runs of a plugin that its new version answers again. */
const maxReplayed = 5;

export function addPluginUpdate(plugin: Command): void {
  plugin
    .command('update [name]')
    .description('show what changed at the source of a plugin, or of all, and ask before taking it')
    .option('--replay', 'show first whether it would have done the same in its 5 newest runs')
    .option('-y, --yes', 'accept every difference as shown')
    .option('--json', 'one object a line')
    .action(async (name: string | undefined, flags: UpdateFlags) => {
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
