import type { Command } from 'commander';
import type { Config } from '../contracts/config.ts';
import type { Finding } from '../contracts/output/parse-setup.ts';
import { listenForInterrupt } from './interrupt.ts';
import { openKernel } from './open-kernel.ts';
import { note, oneLine, printJson, printWrapped } from './output.ts';

const examples = `
Examples:
  cuervo doctor
  cuervo doctor --json
  cuervo doctor --repair            makes a damaged database whole, and keeps a copy first
  cuervo doctor --models            asks each model for one token
`;

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check the set-up; exit code 1 when something fails')
    .option('--json', 'one finding a line')
    .option('--repair', 'make a damaged cuervo.db whole again; its bytes are kept first')
    .option('--models', 'ask each model for one token, which may cost')
    .addHelpText('after', examples)
    .action(async (flags: { json?: boolean; models?: boolean; repair?: boolean }) => {
      const [{ examineSetup }, { configuredJobs }] = await Promise.all([
        import('../kernel/doctor/doctor.ts'),
        import('../../scheduler/configured-jobs.ts'),
      ]);
      const checkJobs = (config: Config): unknown => configuredJobs({ config });
      const findings = examineSetup({
        env: process.env,
        nowMs: Date.now(),
        checkJobs,
        repairs: flags.repair,
      });
      for await (const found of findings) tellFinding(found, flags);
      if (flags.models !== true) return;
      note('each model is asked for one token, which may cost');
      using interrupt = listenForInterrupt();
      await using kernel = await openKernel();
      const { signal } = interrupt;
      for (const name of await kernel.models.names())
        tellFinding(await kernel.models.try(name, { signal }), flags);
    });
}

/** A line of what was found, and its fix; a failure is the exit code. */
export function tellFinding(found: Finding, flags: { json?: boolean }): void {
  if (found.status === 'fail') process.exitCode = 1;
  if (flags.json) {
    printJson(found);
    return;
  }
  printWrapped(`${found.status.padEnd(4)}  `, `${found.name}: ${oneLine(found.finding)}`);
  if (found.fix !== undefined) printWrapped('      ', `fix: ${oneLine(found.fix)}`);
}
