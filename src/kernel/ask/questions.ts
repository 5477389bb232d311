import { shapeOf } from '../../ask/answer-shape.ts';
import { asOfText } from '../../ask/given-pieces.ts';
import { KernelError } from '../../contracts/error.ts';
import type { AskIntent, Intent } from '../../contracts/intent.ts';
import type { Asked, Questions, ReadQuestion } from '../../contracts/questions.ts';
import { planIntent, planNames, planWider, planWithoutGit } from '../../planner/plan-intent.ts';
import { intentAs } from '../../router/as-kind.ts';
import { followUp, refersBack } from '../../router/follow-up.ts';
import { misspelledOnly, readAgain } from '../../router/read-again.ts';
import { readIntent } from '../../router/read-intent.ts';

/** Words -> reading -> plan -> shape of the answer, by the rules of the router and the planner. */
export const questions: Questions = {
  read: (text, asked) => {
    const { tools, workspace, as, given = '', isModel, again } = asked;
    if (again !== undefined) return readWithMeant(again, asked);
    const readAs = standingAlone(text, asked);
    const own = isModel ? undefined : asOfText(readAs ?? text, given);
    return {
      intent: intentAs(readIntent(own ?? readAs ?? text, tools, workspace), as),
      spelled: [],
      ...(readAs === undefined ? {} : { readAs }),
      isOfGiven: own !== undefined,
    };
  },
  plan: (intent, { tools, repository, likenesses, attempt = 'first' }) => {
    if (intent.kind === 'note') return [];
    if (intent.kind === 'call') {
      const effect = tools.find(({ name }) => name === intent.tool)?.effect ?? 'external';
      return [{ id: 's1', tool: intent.tool, input: intent.input, needs: [], effect }];
    }
    if (attempt === 'names') return planNames(intent, tools);
    if (attempt === 'wider') return planWider(intent, tools);
    const steps = planIntent(intent, tools, {
      repository,
      ...(likenesses === undefined ? {} : { likenesses }),
    });
    return attempt === 'first' ? steps : planWithoutGit(intent, steps, tools);
  },
  shape: shapeOf,
};

/** The words of a question with what they stand for; undefined where it stands alone. */
function standingAlone(text: string, { last, isModel }: Asked): string | undefined {
  const whole = last ? followUp(text, last) : undefined;
  if (whole !== undefined) return whole;
  const word = refersBack(text);
  if (word === undefined || isModel) return undefined;
  const reason = last ? 'the last answer shows none' : 'no answer came before';
  throw new KernelError('not-found', `"${word}" stands for nothing: ${reason}`, {
    hint: 'Name what is meant, or go on with the last question: cuervo ask -c "…"',
  });
}

function readWithMeant(
  { intent, meant }: NonNullable<Asked['again']>,
  { tools, workspace }: Asked,
): ReadQuestion {
  const wrong = misspelledOnly(meant);
  const read = (text: string): Intent => readIntent(text, tools, workspace);
  const again = readAgain(intent, wrong, read);
  if (again === undefined) return { intent, spelled: [], isOfGiven: false };
  return { intent: keepOwn(again, intent), spelled: wrong.spelled, isOfGiven: false };
}

/** As it was asked in another language. */
function keepOwn(again: AskIntent, { mentions: { own } }: AskIntent): AskIntent {
  return own === undefined ? again : { ...again, mentions: { ...again.mentions, own } };
}
