import type { AskIntent } from '../../contracts/intent.ts';
import { spokenFor } from '../../planner/plan-intent.ts';
import type { AskPorts } from './ask-ports.ts';
import { isRepository } from './warn-of-missing.ts';

/** A tool of an installed plugin that fits and could not be called, or not it alone. */
export function warnOfTools(
  intent: AskIntent,
  ports: Pick<AskPorts, 'config' | 'planTools' | 'likenessesTo' | 'warn'>,
): void {
  const { config, planTools, likenessesTo, warn } = ports;
  const { mentions } = intent;
  const spoken = spokenFor(intent, planTools, {
    repository: isRepository(config.workspace),
    likenesses: () => likenessesTo(mentions.text, mentions.goal),
  });
  if (spoken === undefined) return;
  const { tool, missing, ties } = spoken;
  if (missing.length > 0) {
    const input = missing.map((field) => `${field}=…`).join(' ');
    warn(
      `${tool.name} fits this question, and the question does not say its ${missing.join(', ')}; call it with: cuervo run ${tool.name} ${input}`,
    );
  } else if (ties.length > 0) {
    warn(
      `${ties.join(', ')} ${ties.length === 1 ? 'fits' : 'fit'} as well as ${tool.name}, which was called; the other: cuervo run ${ties[0]}`,
    );
  }
}
