import type { ModelToolCall } from '../../contracts/model.ts';
import type { PromptRound } from '../../models/build-prompt.ts';

/** Rounds in a row that fail alike, with other inputs. */
const maxAlike = 3;

/**
 * Tells of each round of calls whether the model goes in circles: all of its calls failed before
 * with the very same input, or it is the third in a row that failed alike. One call that works, such
 * as a change of the file that a test reads, begins anew.
 */
export function createCallsInVain(): (round: Pick<PromptRound, 'calls' | 'results'>) => boolean {
  const failed = new Set<string>();
  let last = '';
  let alike = 0;
  return ({ calls, results }) => {
    if (results.some(({ isError }) => !isError)) {
      failed.clear();
      last = '';
      return false;
    }
    const keys = calls.map(({ name, input, fault }) => JSON.stringify([name, input, fault]));
    const isSame = keys.every((key) => failed.has(key));
    for (const key of keys) failed.add(key);
    const kinds = calls.map((call, at) => `${call.name} ${kindOf(results[at]?.text ?? '', call)}`);
    const kind = [...new Set(kinds)].sort().join('\n');
    alike = kind === last ? alike + 1 : 1;
    last = kind;
    return isSame || alike >= maxAlike;
  };
}

/** A reason without what differs from input to input. */
function kindOf(reason: string, { input }: ModelToolCall): string {
  const values = Object.values(input).filter((value) => typeof value === 'string' && value !== '');
  const bare = values.reduce<string>((text, value) => text.replaceAll(String(value), ''), reason);
  return bare.replace(/"[^"]*"|\d+/g, '');
}
