import { KernelError } from '../contracts/error.ts';
import type { AskIntent, Intent } from '../contracts/intent.ts';
import { kindOf, kinds } from './kinds.ts';

/**
 * The same question, read as the kind that a person says.
 *
 * @throws {KernelError} `invalid-argument` for a kind that is none, or that the question names nothing for
 */
export function intentAs(intent: Intent, kind: string | undefined): Intent {
  if (kind === undefined) return intent;
  if (intent.kind !== 'ask') {
    throw new KernelError('invalid-argument', `--as ${kind} needs a question`, {
      hint: 'A call of a tool and a note are what they say.',
    });
  }
  const names = Object.keys(kinds).toSorted();
  if (!Object.hasOwn(kinds, kind)) {
    throw new KernelError('invalid-argument', `--as ${kind} is not a kind of question`, {
      hint: `The kinds are ${names.join(', ')}.`,
    });
  }
  const { readings, mentions } = intent;
  const chosen = readings.find((each) => each.kind === kind) ?? kindOf({ kind }).named(mentions);
  if (chosen === undefined) {
    const fitting = [...new Set(readings.map((each) => each.kind))].join(', ');
    throw new KernelError('invalid-argument', `the question cannot be read as ${kind}`, {
      hint: `It fits ${fitting}; a ${kind} has to name what it is about.`,
    });
  }
  return { ...intent, readings: [chosen, ...readings.filter((each) => each !== chosen)] };
}

/** Kinds that a question fits beside the one that was taken, without those that fit every question. */
export function otherKinds({ readings }: AskIntent): string[] {
  const [first, ...others] = readings;
  if (kindOf(first).isLoose) return [];
  const mayBe = kindOf(first).mayBe?.(first);
  const named = others.map(({ kind }) => kind);
  return [...new Set(named)].filter(
    (kind) => kind !== first.kind && (!kindOf({ kind }).isLoose || kind === mayBe),
  );
}
