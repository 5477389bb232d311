import { collectFindings } from '../../ask/collect-evidence.ts';
import { headedDocuments } from '../../ask/headed-documents.ts';
import type {
  Baseline,
  Events,
  Findings,
  Say,
  ToolFacts,
  ToolIntent,
  Turn,
} from '../../contracts/agent.ts';
import type { AskIntent } from '../../contracts/intent.ts';
import { renumberSteps, type Step, type StepResult } from '../../contracts/plan.ts';
import type { Meant, PlanOn, Questions } from '../../contracts/questions.ts';
import { parseContent } from '../../lib/text/parse-json.ts';
import { mendPlan } from '../../planner/mend-plan.ts';
import { leftOutOfSearch } from '../../questions/constraints.ts';
import { namesTool } from '../../questions/drafts.ts';
import {
  warnOfCuts,
  warnOfFailures,
  warnOfKinds,
  warnOfNamesakes,
  warnOfRepositoryAbove,
  warnOfTools,
  warnWithoutFile,
  warnWithoutGit,
} from './warnings.ts';

export type BaselinePorts = {
  say: Say;
  tools: ToolFacts;
  workspace: string;
  /** a person said which kind of question it is */
  isSettled: boolean;
  plan(intent: ToolIntent, attempt: NonNullable<PlanOn['attempt']>): Step[];
  shape: Questions['shape'];
  /** The question with what its words mean in the workspace; undefined where that adds nothing. */
  readAgain(intent: AskIntent, meant: Meant): ToolIntent | undefined;
};

/** Runs what an intent is planned as, and something wider where that shows nothing. */
export async function* runBaseline(turn: Turn, ports: BaselinePorts, first = 1): Events<Baseline> {
  const asked = turn.intent;
  let ran = yield* runOnce(asked, turn, ports, { first, isReread: asked.kind !== 'ask' });
  while ('reread' in ran) {
    ran = yield* runOnce(ran.reread, turn, ports, { first: ran.next, isReread: true });
  }
  const { intent, baseline, results, next } = ran;
  const { warn } = ports.say;
  if (!isEmpty(baseline.found)) {
    warnOfFailures(results, warn);
    warnOfNamesakes(baseline.shape, results, warn);
    return baseline;
  }
  if (intent.kind !== 'ask') return baseline;
  // If nothing has the name, git cannot help either.
  const isOfGit = results.some(({ tool }) => tool.startsWith('git.')) && !lacksDefinition(results);
  const instead = isOfGit ? ports.plan(intent, 'without-git') : [];
  const wider = instead.length > 0 ? instead : ports.plan(intent, 'wider');
  if (wider.length === 0) return baseline;
  if (instead.length > 0) warnWithoutGit(results, warn);
  else warnWithoutFile(intent, results, warn);
  const others = yield* turn.run(renumberSteps(wider, next));
  return baselineOf(intent, [...results, ...others], ports, { isWidened: true });
}

function baselineOf(
  intent: ToolIntent,
  all: readonly StepResult[],
  { shape: shapeOf, tools }: BaselinePorts,
  { isWidened }: { isWidened: boolean },
): Baseline {
  const looked = all.filter(({ tool }) => tool !== namesTool);
  const shape = shapeOf(intent, { isWidened: isWidened || lacksDefinition(looked) });
  const { words } = intent.mentions;
  const results = shape.documentsExplain ? headedDocuments(looked, words) : looked;
  const found = collectFindings(results, { ...tools, outlines: true, shape });
  const isUntold = shape.saysOfEvidence && found.evidence.length === 0;
  // The sentence names a piece of evidence, such as the README, and there is none.
  const { says: _, ...bare } = shape;
  const read = isWidened || lacksGit(intent, all) ? asSearched(intent) : intent;
  return { results, found, shape: isUntold ? bare : shape, intent: read };
}

/** Whether commits were asked for where there are none. */
function lacksGit(intent: ToolIntent, results: readonly StepResult[]): boolean {
  const isOfGit = intent.kind === 'ask' && intent.readings[0].kind === 'history';
  return isOfGit && !results.some(({ tool }) => tool.startsWith('git.'));
}

function asSearched(intent: ToolIntent): ToolIntent {
  return intent.kind === 'ask' ? { ...intent, leftOut: leftOutOfSearch(intent) } : intent;
}

/** Whether all look-ups of the name found nothing, so that the rest is no definition. */
function lacksDefinition(results: readonly StepResult[]): boolean {
  const looked = results.filter(({ tool }) => tool === 'search.definition');
  return (
    looked.length > 0 &&
    looked.every(({ output }) => output?.content.includes('"definitions":[]') === true)
  );
}

/** A plan that ran, or the question as read again with words of the workspace. */
type RanPlan =
  | { intent: ToolIntent; baseline: Baseline; results: StepResult[]; next: number }
  | { reread: ToolIntent; next: number };

/**
 * Runs one plan. The workspace is asked what the words mean where they fit no kind, by a step of
 * the plan, and where the results show nothing.
 *
 * @param options.isReread the workspace was asked already
 */
async function* runOnce(
  intent: ToolIntent,
  turn: Turn,
  ports: BaselinePorts,
  { first, isReread }: { first: number; isReread: boolean },
): Events<RanPlan> {
  const { tools, workspace, isSettled, say } = ports;
  if (intent.kind === 'ask') {
    warnOfKinds(intent, { isSettled }, say.warn);
    warnOfRepositoryAbove(intent, workspace, say.warn);
    warnOfTools(intent, workspace, tools, say.warn);
  }
  const all = ports.plan(intent, 'first');
  const steps = isReread ? all.filter(({ tool }) => tool !== namesTool) : all;
  const ran = yield* turn.run(renumberSteps(steps, first));
  const names = ran.find(({ tool }) => tool === namesTool);
  const reread = readByNames(intent, names, ports);
  if (reread !== undefined) return { reread, next: first + ran.length };
  const planned = ran.filter((result) => result !== names);
  const { added, mended } = yield* mendPlan(planned, turn, ports, first + ran.length);
  // New steps replace the failed ones.
  const results = [...planned.filter(({ step }) => !mended.has(step)), ...added];
  const next = first + ran.length + added.length;
  warnOfCuts(results, tools.isBuiltin, say.warn);
  const baseline = baselineOf(intent, results, ports, { isWidened: false });
  const ended = { intent, baseline, results, next };
  const isMissed = isEmpty(baseline.found) || lacksDefinition(results);
  if (intent.kind !== 'ask' || isReread || names !== undefined || !isMissed) return ended;
  const [looked] = yield* turn.run(renumberSteps(ports.plan(intent, 'names'), next));
  const again = readByNames(intent, looked, ports);
  return again === undefined ? { ...ended, next: next + 1 } : { reread: again, next: next + 1 };
}

/** The question as the workspace reads its words; undefined where that adds nothing. */
function readByNames(asked: ToolIntent, looked: StepResult | undefined, ports: BaselinePorts) {
  if (asked.kind !== 'ask' || ports.isSettled) return undefined;
  const found = parseContent(looked?.output?.content ?? 'null') as Meant | null;
  return found === null ? undefined : ports.readAgain(asked, found);
}

export function isEmpty({ evidence, rows, listings }: Findings): boolean {
  return evidence.length + rows.length + listings.length === 0;
}
