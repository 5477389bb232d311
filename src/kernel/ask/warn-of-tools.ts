import type { AskIntent } from '../../contracts/intent.ts';
import { spokenTool } from '../../planner/spoken-tools.ts';
import type { AskPorts } from './ask-ports.ts';

/** A tool of an installed plugin that fits and could not be called, or not it alone. */
export function warnOfTools(
  { readings, mentions }: AskIntent,
  { planTools, likenessesTo, warn }: Pick<AskPorts, 'planTools' | 'likenessesTo' | 'warn'>,
): void {
  const spoken = spokenTool(mentions, planTools, {
    isParticular: readings.length > 1,
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
      `${ties.join(', ')} fits as well as ${tool.name}, which was called; the other: cuervo run ${ties[0]}`,
    );
  }
}
