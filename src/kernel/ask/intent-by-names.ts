import type { AskIntent } from '../../contracts/intent.ts';
import type { StepResult } from '../../contracts/step-result.ts';
import { parseContent } from '../../lib/text/parse-content.ts';
import { type Meant, readAgain } from '../../router/read-again.ts';
import type { AskPorts } from './ask-ports.ts';

/**
 * A question once more, by what its words mean in the workspace.
 *
 * @param looked the result of looking that up
 * @returns undefined where that says no more than the words
 */
export function intentByNames(
  asked: AskIntent,
  { output }: StepResult,
  { isSettled, readIntent, warn }: Pick<AskPorts, 'isSettled' | 'readIntent' | 'warn'>,
): AskIntent | undefined {
  const meant = parseContent(output?.content ?? 'null') as Meant | null;
  if (isSettled || meant === null) return undefined;
  const again = readAgain(asked, meant, readIntent);
  const words = meant.spelled.map(({ written, meant }) => `"${written}" as ${meant}`);
  if (again !== undefined && words.length > 0) warn(`read ${words.join(', ')}`);
  return again;
}
