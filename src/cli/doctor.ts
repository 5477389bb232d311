import type { Command } from 'commander';
import { oneLine, print, printJson } from './output.ts';

const examples = `
Examples:
  cuervo doctor
  cuervo doctor --json
`;

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check the set-up; exit code 1 when something fails')
    .option('--json', 'one finding a line')
    .addHelpText('after', examples)
    .action(async (flags: { json?: boolean }) => {
      const { examineSetup } = await import('../kernel/doctor.ts');
      for await (const found of examineSetup({ env: process.env, nowMs: Date.now() })) {
        if (found.status === 'fail') process.exitCode = 1;
        if (flags.json) {
          printJson(found);
          continue;
        }
        print(`${found.status.padEnd(4)}  ${found.name}: ${oneLine(found.finding)}`);
        if (found.fix !== undefined) print(`      mend it with: ${oneLine(found.fix)}`);
      }
    });
}
