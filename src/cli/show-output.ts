import { KernelError } from '../contracts/error.ts';
import type { KeptOutput } from '../contracts/kept-outputs.ts';
import type { OutputCommands } from '../kernel/changes/output-commands.ts';
import { escapeTerminal } from '../lib/text/escape.ts';
import { note, oneLine } from './output.ts';

/**
 * Prints the one output that is meant; says which there are where several could be. A terminal is
 * shown what it would obey as visible escapes, a file gets the bytes.
 */
export async function showOutput(
  outputs: OutputCommands,
  chosen: { /** of a run or an output */ run: string; step: string | undefined; errors: boolean },
): Promise<void> {
  const { run, step, errors } = chosen;
  const all = await outputs.list(run);
  const stream = errors ? 'stderr' : 'stdout';
  const ofStep = all.filter((each) => step === undefined || each.step === step);
  const meant = ofStep.filter((each) => each.stream === stream);
  // Standard output is not the requested errors.
  const [only] = meant.length > 0 || errors ? meant : ofStep;
  const place = step === undefined ? `"${run}"` : `step "${step}" of run "${run}"`;
  const other = ofStep.at(-1);
  if (only === undefined && other !== undefined) {
    throw new KernelError('not-found', `no long standard error of ${place} is kept`, {
      hint: `Its standard output is: cuervo runs output ${other.run} ${other.step}`,
    });
  }
  if (only === undefined) {
    throw new KernelError('not-found', `no long output of ${place} is kept`, {
      hint: 'Outputs below 48 KiB are in the result itself; see the runs with: cuervo runs list',
    });
  }
  // A step of several programs has several; the last one is what its result ends with.
  const last = meant.at(-1) ?? only;
  for (const each of ofStep) if (each !== last) note(`also kept: ${describeOutput(each)}`);
  note(describeOutput(last));
  const bytes = outputs.read(last);
  process.stdout.write(
    process.stdout.isTTY ? escapeTerminal(new TextDecoder().decode(bytes)) : bytes,
  );
}

function describeOutput({ run, step, program, stream, bytes, isCut }: KeptOutput): string {
  const cut = isCut ? ', the rest was not kept' : '';
  const flag = stream === 'stderr' ? ' --errors' : '';
  return `${oneLine(program)}, ${bytes} bytes${cut}: cuervo runs output ${run} ${step}${flag}`;
}
