import type { Command } from 'commander';
import type { Config } from '../contracts/config.ts';
import { oneLine, printJson, printWrapped } from './output.ts';

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
      const [{ examineSetup }, { configuredJobs }] = await Promise.all([
        import('../kernel/doctor/doctor.ts'),
        import('../../scheduler/configured-jobs.ts'),
      ]);
      const checkJobs = (config: Config): unknown => configuredJobs({ config });
      const findings = examineSetup({ env: process.env, nowMs: Date.now(), checkJobs });
      for await (const found of findings) {
        if (found.status === 'fail') process.exitCode = 1;
        if (flags.json) {
          printJson(found);
          continue;
        }
        printWrapped(`${found.status.padEnd(4)}  `, `${found.name}: ${oneLine(found.finding)}`);
        if (found.fix !== undefined) printWrapped('      ', `fix: ${oneLine(found.fix)}`);
      }
    });
}
