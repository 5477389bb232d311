import type { Command } from 'commander';
import { addFamilyExamples } from './command-families.ts';
import { listenForInterrupt } from './interrupt.ts';
import { openKernel } from './open-kernel.ts';
import { oneLine, printEach, printOne } from './output.ts';

const examples = `
Examples:
  cuervo policy test "git status"                  allow: a reader
  cuervo policy test "find . -name '*.o' -delete"  ask, with the reason
  cuervo policy test "ls && npm test" --json
  cuervo policy rules                              every rule, yours first

Nothing of the command runs. Your own rules are in CUERVO_HOME/rules.toml.
`;

export function addPolicyCommand(program: Command): void {
  const policy = program
    .command('policy')
    .description('which programs may run: test a command line, list the rules');
  addFamilyExamples(policy, examples);
  addTest(policy);
  addRules(policy);
}

function addTest(policy: Command): void {
  policy
    .command('test <command>')
    .description('show the decision on a command line, and the rule that makes it')
    .option('-w, --workspace <dir>', 'the folder that it would run in')
    .option('--yes <set>', 'with this set of rules, as a run that names it')
    .option('--json', 'the answer as one object')
    .action(
      async (command: string, flags: { workspace?: string; yes?: string; json?: boolean }) => {
        using interrupt = listenForInterrupt();
        const { workspace, yes } = flags;
        await using kernel = await openKernel({
          ...(workspace === undefined ? {} : { workspace }),
          ...(yes === undefined ? {} : { yes }),
        });
        const tested = await kernel.policy.test(command, { signal: interrupt.signal });
        const { decision, rule, reason, cannotRun } = tested;
        const lines = [`${decision}  ${rule}  ${oneLine(reason)}`];
        if (cannotRun !== undefined) lines.push(oneLine(`it cannot run here: ${cannotRun}`));
        printOne(tested, flags, lines.join('\n'));
      },
    );
}

function addRules(policy: Command): void {
  policy
    .command('rules')
    .description('list the rules on programs, yours first')
    .option('--yes <set>', 'with those of this set')
    .option('--json', 'one object a line')
    .action(async (flags: { yes?: string; json?: boolean }) => {
      await using kernel = await openKernel(flags.yes === undefined ? {} : { yes: flags.yes });
      printEach(kernel.policy.rules(), flags, ({ decision, name, reason, source, programs }) => {
        const head = `${decision.padEnd(5)}  ${name}  ${reason} (${source})`;
        return `${head}\n       ${programs.join(' ')}`;
      });
    });
}
