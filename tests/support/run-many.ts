import type { JsonObject } from '../../src/contracts/tool.ts';
import { type Kernel, openKernel } from '../../src/kernel.ts';
import type { Place } from './place.ts';

/** How one call ended: as `cuervo run` would exit, and with which words. */
export type Ended = {
  input: JsonObject;
  exit: number;
  /** of the error; absent where it succeeded */
  code?: string;
  message?: string;
  /** of the result, read as JSON where it is JSON */
  content?: unknown;
};

/**
 * Many calls of one tool, or of one for each input, in one kernel, where a command line each would take seconds: the
 * processes of the plugin, the grants and the journal are those of `cuervo run`. Nobody can be
 * asked, as without a terminal.
 */
export async function runMany(
  place: Pick<Place, 'home' | 'work'>,
  tool: string | readonly string[],
  inputs: readonly JsonObject[],
  allow: readonly string[] = ['fs:work'],
): Promise<Ended[]> {
  await using kernel = await openKernel({ home: place.home, workspace: place.work, allow });
  const all: Ended[] = [];
  for (const [at, input] of inputs.entries()) {
    const name = typeof tool === 'string' ? tool : (tool[at] ?? '');
    all.push(await runOne(kernel, name, input));
  }
  return all;
}

/** One call in a kernel that is open. */
export async function runOne(kernel: Kernel, tool: string, input: JsonObject): Promise<Ended> {
  const ended: Ended = { input, exit: -1 };
  for await (const event of kernel.run(tool, input)) {
    if (event.type === 'result') ended.content = jsonOrText(event.content);
    if (event.type === 'error') Object.assign(ended, { code: event.code, message: event.message });
    if (event.type === 'run-finished') ended.exit = event.exitCode;
  }
  return ended;
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
