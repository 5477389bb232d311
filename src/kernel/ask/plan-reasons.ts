import type { Intent } from '../../contracts/intent.ts';
import type { Tool } from '../../contracts/tool.ts';
import { chooseTools } from '../../planner/choose-tools.ts';
import { spokenFor } from '../../planner/plan-intent.ts';
import type { AskPorts } from './ask-ports.ts';

/** Tools that are named beside the chosen one. */
const shownTools = 5;

export type PlanReasons = {
  /** `call`, `note`, or the kind of question that was planned first */
  reading: string;
  /** kinds that it could be, too, the likeliest first */
  others: string[];
  /** tools by how well they fit, best first; scores and shares are 0 to 1 */
  tools: { tool: string; score: number; covered: number }[];
  /** the tool of an installed plugin that was chosen, what it lacks, and others that fit as well */
  chosen?: { tool: string; missing: string[]; ties: string[] };
};

export function planReasons(
  intent: Intent,
  tools: readonly Tool[],
  { repository, likenessesTo }: { repository: boolean; likenessesTo: AskPorts['likenessesTo'] },
): PlanReasons {
  if (intent.kind !== 'ask') return { reading: intent.kind, others: [], tools: [] };
  const { readings, mentions } = intent;
  const [first, ...others] = readings.map(({ kind }) => kind);
  const likenesses = likenessesTo(mentions.text, mentions.goal);
  const spoken = spokenFor(intent, tools, {
    repository,
    likenesses: () => likenesses,
  });
  return {
    reading: first ?? 'how',
    others,
    tools: chooseTools(mentions.goal, tools, likenesses)
      .slice(0, shownTools)
      .map(({ tool, score, covered }) => ({ tool: tool.name, score, covered })),
    ...(spoken === undefined
      ? {}
      : {
          chosen: {
            tool: spoken.tool.name,
            missing: [...spoken.missing],
            ties: [...spoken.ties],
          },
        }),
  };
}
