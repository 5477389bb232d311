import type { Command } from 'commander';
import { KernelError } from '../contracts/error.ts';
import type { KernelOptions } from '../kernel.ts';
import { createAskConsent, createAskYesNo } from './ask-consent.ts';
import { createAskPassphrase } from './ask-person.ts';
import { note, oneLine } from './output.ts';
import type { Progress } from './progress.ts';

export type CommonFlags = {
  workspace?: string;
  json?: boolean;
  allow?: string[];
  yes?: string;
  timeout?: string;
  quiet?: boolean;
  dryRun?: boolean;
  record?: boolean;
};

/** Flags of every command that runs tools. */
export function addCommonFlags(command: Command): Command {
  return command
    .option(
      '-w, --workspace <dir>',
      'the folder to work on (default: the nearest with .git or cuervo.toml)',
    )
    .option('--allow <grant>', 'grant for this run only, e.g. fs:work (repeatable)', collect)
    .option('--yes <set>', 'allow what this set of rules in rules.toml allows; see docs/policy.md')
    .option('--timeout <seconds>', 'time for each tool call (default 30)')
    .option('-q, --quiet', 'no progress and no log on standard error')
    .option('--json', 'one event a line, see docs/events.md');
}

/** Only for commands whose changes `apply` can make later. */
export function addDryRunFlag(command: Command): Command {
  return command.option(
    '--dry-run',
    'work on a copy of the workspace and show what would be changed; see cuervo apply',
  );
}

/** For commands whose runs can be replayed. */
export function addRecordFlag(command: Command): Command {
  return command.option(
    '--record',
    'keep all that tools read, for runs replay; see docs/journal.md',
  );
}

/** `--workspace` where it was given. */
export function workspaceOption(flags: { workspace?: string }): { workspace?: string } {
  return flags.workspace === undefined ? {} : { workspace: flags.workspace };
}

export function collect(value: string, earlier: string[] = []): string[] {
  return [...earlier, value];
}

/**
 * @param progress shows the tools' own progress
 * @throws {KernelError} `invalid-argument`
 */
export function kernelOptions(flags: CommonFlags, progress: Pick<Progress, 'set'>): KernelOptions {
  return {
    ...(flags.workspace === undefined ? {} : { workspace: flags.workspace }),
    ...(flags.dryRun === undefined ? {} : { dryRun: flags.dryRun }),
    ...(flags.record === undefined ? {} : { record: flags.record }),
    ...(flags.allow === undefined ? {} : { allow: flags.allow }),
    ...(flags.yes === undefined ? {} : { yes: flags.yes }),
    ...(flags.timeout === undefined ? {} : { callTimeoutMs: parseSeconds(flags.timeout) * 1000 }),
    ...consentOption(flags),
    onWarning: (message) => {
      if (!flags.quiet) note(`note: ${oneLine(message)}`);
    },
    onToolEvent: (tool, event) => {
      if (event.type === 'progress') progress.set(`${tool}: ${event.label}`);
      if (flags.quiet || event.type !== 'log' || event.level === 'debug') return;
      note(`${tool}: ${oneLine(event.message)}`);
    },
  };
}

/**
 * Only a person at a terminal can be asked. A script that reads lines of JSON cannot, and no
 * environment variable replaces a terminal.
 */
function consentOption(flags: {
  json?: boolean;
}): Pick<KernelOptions, 'askConsent' | 'askPassphrase' | 'askYesNo'> {
  if (flags.json) return {};
  const terminal = { input: process.stdin, output: process.stderr };
  const askConsent = createAskConsent(terminal, () => process.emit('SIGINT'));
  const askPassphrase = createAskPassphrase();
  const askYesNo = createAskYesNo(terminal, () => process.emit('SIGINT'));
  return {
    ...(askConsent === undefined ? {} : { askConsent }),
    ...(askPassphrase === undefined ? {} : { askPassphrase }),
    ...(askYesNo === undefined ? {} : { askYesNo }),
  };
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  // A thousandth: `limits.call-timeout-ms` takes whole milliseconds, from 1.
  if (Number.isFinite(seconds) && seconds >= 0.001 && seconds <= 86_400) return seconds;
  throw new KernelError(
    'invalid-argument',
    `--timeout ${text} is not a number of seconds from 0.001 to 86400`,
    {
      hint: 'For half a minute: --timeout 30',
    },
  );
}
