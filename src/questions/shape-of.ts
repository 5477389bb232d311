import type { AskIntent } from '../contracts/intent.ts';
import type { AnswerShape } from '../contracts/questions.ts';
import { kindOf } from './kinds.ts';
import { asShown, usual } from './shape.ts';

/** By the first reading of a question; a plan that had to look wider has the usual one. */
export function shapeOf(
  { readings, mentions }: AskIntent,
  { isWidened }: { isWidened: boolean },
): AnswerShape {
  const [reading] = readings;
  const own = kindOf(reading).shape?.(reading, { mentions, readings, isFirst: true, isWidened });
  if (own !== undefined) return { ...usual, ...own };
  return mentions.wantsWhole && !isWidened ? { ...usual, ...asShown } : usual;
}
