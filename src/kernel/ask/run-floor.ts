import { type AnswerShape, shapeOf } from '../../ask/answer-shape.ts';
import type { BudgetMeter } from '../../ask/budget.ts';
import { collectFindings, type Findings } from '../../ask/collect-evidence.ts';
import { headedDocuments } from '../../ask/headed-documents.ts';
import { KernelError } from '../../contracts/error.ts';
import type { UnstampedEvent } from '../../contracts/events.ts';
import type { Intent, NoteIntent } from '../../contracts/intent.ts';
import type { Step, StepResult } from '../../contracts/plan.ts';
import type { Tool } from '../../contracts/tool.ts';
import { parseContent } from '../../lib/text/parse-json.ts';
import { namesTool } from '../../planner/drafts.ts';
import { planIntent, planNames, planWider, planWithoutGit } from '../../planner/plan-intent.ts';
import { renumberSteps } from '../../planner/renumber-steps.ts';
import { type Meant, misspelledOnly, readAgain } from '../../router/read-again.ts';
import type { AskPorts } from './ask-ports.ts';
import { mendPlan } from './mend-plan.ts';
import {
  isRepository,
  warnOfCuts,
  warnOfFailures,
  warnOfKinds,
  warnOfNamesakes,
  warnOfRepositoryAbove,
  warnWithoutFile,
  warnWithoutGit,
} from './warn-of-missing.ts';
import { warnOfTools } from './warn-of-tools.ts';

/** Answers a question by running tools. */
export type ToolIntent = Exclude<Intent, NoteIntent>;

/** Runs what an intent is planned as, and something wider where that shows nothing. */
export async function* runFloorPlan(
  intent: ToolIntent,
  budget: BudgetMeter,
  ports: AskPorts,
  first = 1,
): AsyncGenerator<UnstampedEvent, Floor, undefined> {
  const floor = yield* runWidenedPlan(intent, budget, ports, first);
  const found = withGiven(floor.found, ports);
  const isUnread = isOfFile(floor.read) && found.evidence.length === 0;
  if (isEmpty(found) || isUnread) failWithStep(floor.results, floor.read, ports);
  return { ...floor, found };
}

/** The results of a plan, and the shape of the answer that shows them. */
type Floor = { results: StepResult[]; found: Findings; shape: AnswerShape; read: ToolIntent };

function floorOf(
  intent: ToolIntent,
  all: readonly StepResult[],
  ports: AskPorts,
  { isWidened }: { isWidened: boolean },
): Floor {
  const looked = all.filter(({ tool }) => tool !== namesTool);
  const isHow = intent.kind === 'ask' && intent.readings[0].kind === 'how';
  const results = isHow ? headedDocuments(looked, intent.mentions.words) : looked;
  const shape = shapeOf(intent, { isWidened: isWidened || lacksDefinition(results) });
  const found = collectFindings(results, { ...ports, outlines: true, shape });
  const isUntold =
    intent.kind === 'ask' && intent.readings[0].kind === 'about' && found.evidence.length === 0;
  // There is no README that it could be said to be.
  const { says: _, ...bare } = shape;
  return { results, found, shape: isUntold ? bare : shape, read: intent };
}

/** Says that nothing has the name, so what follows is not a definition. */
function lacksDefinition(results: readonly StepResult[]): boolean {
  const looked = results.filter(({ tool }) => tool === 'search.definition');
  return (
    looked.length > 0 &&
    looked.every(({ output }) => output?.content.includes('"definitions":[]') === true)
  );
}

/** Evidence that came with the question comes first. */
export function withGiven(findings: Findings, { given }: AskPorts): Findings {
  return { ...findings, evidence: [...given, ...findings.evidence] };
}

const isOfFile = (intent: ToolIntent): boolean =>
  intent.kind === 'ask' && intent.readings[0].kind === 'file';

/** Found nothing because nothing could be read, or because a limit ended the search. */
function failWithStep(results: readonly StepResult[], intent: ToolIntent, ports: AskPorts): void {
  const isLimit = ({ error }: StepResult) => error?.code === 'resource-exhausted';
  // A tool of an installed plugin is there only because it was chosen for the question.
  const isChosen = ({ tool, error }: StepResult) =>
    error !== undefined && !ports.isBuiltin(tool.split('.', 1)[0] ?? '');
  const failed =
    results.find(isLimit) ??
    results.find(isChosen) ??
    // The file is there, and what was asked of it is not.
    (isOfFile(intent) ? results.find(({ status }) => status === 'error') : undefined) ??
    (results.some(({ status }) => status === 'ok')
      ? undefined
      : results.find(({ error, status }) => error !== undefined && status !== 'skipped'));
  if (failed?.error !== undefined) throw failed.error;
}

export async function* runPlanOf(
  intent: ToolIntent,
  budget: BudgetMeter,
  ports: AskPorts,
  first = 1,
): AsyncGenerator<UnstampedEvent, StepResult[], undefined> {
  return (yield* runWidenedPlan(intent, budget, ports, first)).results;
}

/** Runs the plan of a question, and a wider one where its results show nothing. */
async function* runWidenedPlan(
  asked: ToolIntent,
  budget: BudgetMeter,
  ports: AskPorts,
  first: number,
): AsyncGenerator<UnstampedEvent, Floor, undefined> {
  let ran = yield* runPlan(asked, budget, ports, { first, isReread: asked.kind !== 'ask' });
  while ('reread' in ran) {
    ran = yield* runPlan(ran.reread, budget, ports, { first: ran.next, isReread: true });
  }
  const { intent, floor, steps, results, next } = ran;
  if (!isEmpty(floor.found)) {
    warnOfFailures(results, ports);
    if (intent.kind === 'ask') warnOfNamesakes(intent, results, ports);
    return floor;
  }
  if (intent.kind !== 'ask') return floor;
  const widened = (others: readonly StepResult[]) =>
    floorOf(intent, [...results, ...others], ports, { isWidened: true });
  // Git has nothing to say about a name that nothing has.
  const instead = lacksDefinition(results) ? [] : planWithoutGit(intent, steps, ports.planTools);
  if (instead.length > 0) {
    warnWithoutGit(results, ports);
    return widened(yield* runSteps(instead, budget, ports, next));
  }
  const wider = planWider(intent, ports.planTools);
  if (wider.length === 0) return floor;
  warnWithoutFile(intent, results, ports);
  return widened(yield* runSteps(wider, budget, ports, next));
}

/** A plan that ran, or the question as the workspace has it read again. */
type RanPlan =
  | { intent: ToolIntent; floor: Floor; steps: Step[]; results: StepResult[]; next: number }
  | { reread: ToolIntent; next: number };

/**
 * Runs one plan. The workspace is asked what the words mean where they fit no kind, by a step of
 * the plan, and where the results show nothing.
 *
 * @param options.isReread the workspace was asked already
 */
async function* runPlan(
  intent: ToolIntent,
  budget: BudgetMeter,
  ports: AskPorts,
  { first, isReread }: { first: number; isReread: boolean },
): AsyncGenerator<UnstampedEvent, RanPlan, undefined> {
  if (intent.kind === 'ask') {
    warnOfKinds(intent, ports);
    warnOfRepositoryAbove(intent, ports);
    warnOfTools(intent, ports);
  }
  const all = stepsOf(intent, ports.planTools, ports.config.workspace, ports.likenessesTo);
  const steps = isReread ? all.filter(({ tool }) => tool !== namesTool) : all;
  const ran = yield* runSteps(steps, budget, ports, first);
  const names = ran.find(({ tool }) => tool === namesTool);
  const planned = ran.filter((result) => result !== names);
  const read = readByNames(intent, names, ports);
  if (read !== undefined) return { reread: read, next: first + ran.length };
  const from = first + ran.length - planned.length;
  const { results, next } = yield* withMended(planned, budget, ports, from);
  warnOfCuts(results, ports);
  const floor = floorOf(intent, results, ports, { isWidened: false });
  const ended = { intent, floor, steps, results, next };
  const isMissed = isEmpty(floor.found) || lacksDefinition(results);
  if (intent.kind !== 'ask' || isReread || names !== undefined || !isMissed) return ended;
  const [looked] = yield* runSteps(planNames(intent, ports.planTools), budget, ports, next);
  const reread = readByNames(intent, looked, ports);
  return reread === undefined ? { ...ended, next: next + 1 } : { reread, next: next + 1 };
}

/** The question as the workspace reads its words; undefined where that adds nothing. */
function readByNames(asked: ToolIntent, looked: StepResult | undefined, ports: AskPorts) {
  if (asked.kind !== 'ask') return undefined;
  const found = parseContent(looked?.output?.content ?? 'null') as Meant | null;
  if (ports.isSettled || found === null) return undefined;
  const meant = misspelledOnly(found);
  const again = readAgain(asked, meant, ports.readIntent);
  const words = meant.spelled.map((each) => `"${each.written}" as ${each.meant}`);
  if (again === undefined) return undefined;
  if (words.length > 0) ports.warn(`read ${words.join(', ')}`);
  const { own } = asked.mentions;
  return own === undefined ? again : { ...again, mentions: { ...again.mentions, own } };
}

/** The results with those of what was planned anew in the place of what failed. */
async function* withMended(
  results: StepResult[],
  budget: BudgetMeter,
  ports: AskPorts,
  first: number,
): AsyncGenerator<UnstampedEvent, { results: StepResult[]; next: number }, undefined> {
  const { added, mended } = yield* mendPlan(results, budget, ports, first + results.length);
  const isMended = ({ step }: StepResult): boolean => mended.has(step);
  return {
    results: [...results.filter((result) => !isMended(result)), ...added],
    next: first + results.length + added.length,
  };
}

async function* runSteps(
  steps: readonly Step[],
  budget: BudgetMeter,
  ports: AskPorts,
  first: number,
): AsyncGenerator<UnstampedEvent, StepResult[], undefined> {
  const plan = ports.makePlan(renumberSteps(steps, first));
  yield { type: 'plan', ...plan };
  budget.takeToolCalls(plan.steps.length);
  const results = yield* ports.execute(plan, undefined, { maxMs: budget.timeLeftMs() });
  if (ports.signal.aborted) throw KernelError.from(ports.signal.reason, 'canceled');
  return results;
}

export function stepsOf(
  intent: Intent,
  tools: readonly Tool[],
  workspace: string,
  likenessesTo: AskPorts['likenessesTo'],
): Step[] {
  if (intent.kind === 'note') return [];
  if (intent.kind === 'ask') {
    const { text, goal } = intent.mentions;
    const likenesses = () => likenessesTo(text, goal);
    return planIntent(intent, tools, { repository: isRepository(workspace), likenesses });
  }
  const effect = tools.find((tool) => tool.name === intent.tool)?.effect ?? 'external';
  return [{ id: 's1', tool: intent.tool, input: intent.input, needs: [], effect }];
}

export function isEmpty({ evidence, rows, listings }: Findings): boolean {
  return evidence.length + rows.length + listings.length === 0;
}
