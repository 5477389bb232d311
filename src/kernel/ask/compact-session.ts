import { createBudget } from '../../ask/budget.ts';
import { KernelError } from '../../contracts/error.ts';
import type { UnstampedEvent } from '../../contracts/events.ts';
import { createGuard } from '../../guard/create-guard.ts';
import { counted } from '../../lib/text/amounts.ts';
import type { AskPorts } from './ask-ports.ts';
import { createKnowSecrets } from './know-secrets.ts';
import { spenderOf } from './spender-of.ts';
import { createSumUp } from './sum-up.ts';
import { openTalk } from './talk-book.ts';
import { createTalkPrompt } from './talk-prompt.ts';

/**
 * Shows a conversation to its model in as few words as can be from now on: results as a line each,
 * all but the last question summed up. Nothing that is kept is lost.
 *
 * @throws {KernelError} `invalid-argument` where there is nothing to make shorter
 */
export async function* compactSession(
  ports: AskPorts,
): AsyncGenerator<UnstampedEvent, void, undefined> {
  const { model, store, session, scope, clock, warn } = ports;
  if (model === undefined) {
    if (ports.modelFailure !== undefined) throw ports.modelFailure;
    throw new KernelError('invalid-argument', 'no model is in use, so nothing is sent again', {
      hint: 'Answers without a model take no room. Choose one with: cuervo model use NAME',
    });
  }
  const book = openTalk({ store, session: session.id, run: scope.id, clock, warn });
  if (book.turns.length === 0) {
    throw new KernelError('invalid-argument', 'no model was asked in this session yet', {
      hint: 'Ask something first.',
    });
  }
  const { privacy, budget: limits } = ports.config;
  const options = {
    ...{ question: '', role: 'word' as const, model, book, ports, rounds: [], memory: [] },
    budget: createBudget(limits, ports.budgetClock, spenderOf(model, ports)),
    guard: createGuard({ remote: model.remote, privacy, question: '' }),
    progress: { results: [], said: '' },
    ...{ tools: () => [], paths: () => [] },
  };
  await createKnowSecrets(options)();
  const prompts = createTalkPrompt(options);
  const before = prompts.tokensBefore();
  const turns = prompts.shorten();
  if (turns.length > 0) yield* createSumUp(options, prompts)(turns, model.reach.promptTokens);
  const after = prompts.tokensBefore();
  const text = `${counted(book.turns.length, 'question')} took ${before} tokens to send again, now ${after}.`;
  yield { type: 'text', delta: text, mode: 'extractive' };
  yield { type: 'answer', text, mode: 'extractive', evidence: [], memory: [] };
}
