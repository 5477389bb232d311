import type { RunEvent } from '../../src/contracts/events.ts';
import type { JsonObject } from '../../src/contracts/tool.ts';
import { openKernel } from '../../src/kernel.ts';
import type { Place } from './place.ts';
import type { Ran } from './run-cuervo.ts';

export type RanHere = Pick<Ran, 'code' | 'lines' | 'stdout' | 'stderr'>;

/**
 * Asks in this process, with a kernel of its own as each command has, where a command line would
 * take longer to start than to answer. Jobs do not run afterwards.
 *
 * @param folder below the workspace
 */
export async function askHere(
  place: Pick<Place, 'home' | 'work'>,
  words: string,
  folder = '',
): Promise<RanHere> {
  const workspace = `${place.work}/${folder}`;
  await using kernel = await openKernel({ home: place.home, workspace });
  const lines: RunEvent[] = [];
  for await (const event of kernel.ask(words)) lines.push(event);
  return ranHere(lines);
}

/** Runs one tool in this process, in the same way. */
export async function runHere(
  place: Pick<Place, 'home' | 'work'>,
  tool: string,
  input: JsonObject,
  allow: readonly string[] = [],
): Promise<RanHere> {
  await using kernel = await openKernel({ home: place.home, workspace: place.work, allow });
  const lines: RunEvent[] = [];
  for await (const event of kernel.run(tool, input)) lines.push(event);
  return ranHere(lines);
}

function ranHere(lines: RunEvent[]): RanHere {
  const end = lines.at(-1);
  const code = end?.type === 'run-finished' ? end.exitCode : null;
  return { code, lines, stdout: lines.map((line) => JSON.stringify(line)).join('\n'), stderr: '' };
}
