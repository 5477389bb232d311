import type { AskIntent, Reading } from '../contracts/intent.ts';
import type { Step } from '../contracts/plan.ts';
import type { Tool } from '../contracts/tool.ts';
import { asTopic, below, type Draft, from, namesIn, rankedPassages, readAt } from './drafts.ts';

import { planHistory } from './history-drafts.ts';
import { draftsOf, planMembers } from './kind-drafts.ts';
import { renumberSteps } from './renumber-steps.ts';
import { type LikenessesToGoal, type SpokenTool, spokenTool } from './spoken-tools.ts';

/** Readings that search passages already: there is nothing wider to look for. */
const searching: readonly Reading['kind'][] = ['how', 'where', 'definition'];

/**
 * A plan without a model: the first reading of a question for which there are tools; outputs feed
 * later steps.
 *
 * @param tools those that are there; steps only call these
 * @param options.repository the workspace is a repository, so that git is asked about history
 * @param options.likenesses by these, too, a tool of an installed plugin is chosen
 * @returns steps with ids and needs, not yet ordered or checked
 */
export function planIntent(
  { readings, mentions }: AskIntent,
  tools: readonly Tool[],
  { repository = false, likenesses }: PlanOptions = {},
): Step[] {
  for (const reading of readings) {
    if (reading.kind === 'history' && !repository) continue;
    const isParticular = isParticularIn(reading, readings);
    const spoken = spokenTool(mentions, tools, { isParticular, likenesses });
    const others =
      spoken?.input === undefined ? [] : [{ tool: spoken.tool.name, input: spoken.input }];
    const steps = toSteps([...draftsOf(reading, mentions), ...others], tools);
    if (steps.length > 0) return steps;
  }
  return [];
}

export type PlanOptions = { repository?: boolean; likenesses?: LikenessesToGoal | undefined };

/** The tool of an installed plugin that goes with the reading that is planned first. */
export function spokenFor(
  { readings, mentions }: AskIntent,
  tools: readonly Tool[],
  { repository = false, likenesses }: PlanOptions,
): SpokenTool | undefined {
  const first = readings.find(({ kind }) => kind !== 'history' || repository) ?? readings[0];
  return spokenTool(mentions, tools, { isParticular: isParticularIn(first, readings), likenesses });
}

/** Every question has a last reading, which says little about what it wants. */
function isParticularIn(reading: Reading, readings: AskIntent['readings']): boolean {
  return reading !== readings[readings.length - 1];
}

/**
 * The next plan when the plan of a question found nothing: a listing without a file, or an unknown
 * name, may have been a question about what the code does.
 *
 * @returns no steps when passages were searched already, when an empty list is the answer, or when
 *   a file or a page of the web was asked for
 */
export function planWider({ readings, mentions }: AskIntent, tools: readonly Tool[]): Step[] {
  if (readings.some(({ kind }) => kind === 'todo' || kind === 'web')) return [];
  // A file that is not there is not answered by what speaks of it.
  const [wanted] = readings;
  if (wanted.kind === 'file' || (wanted.kind === 'listing' && wanted.isNamed)) return [];
  if (wanted.kind === 'history' && (wanted.about === 'lines' || wanted.about === 'added'))
    return toSteps(planHistory(asTopic(wanted), mentions), tools);
  if (wanted.kind === 'manifest' && wanted.about === 'author')
    return toSteps(planHistory({ kind: 'history', about: 'contributors' }, mentions), tools);
  // A function is used where the file that declares it is included.
  if (wanted.kind === 'references' && wanted.only === 'imports')
    return toSteps(
      [
        ...draftsOf({ kind: 'references', name: wanted.name }, mentions),
        ...rankedPassages('s2', mentions),
      ],
      tools,
    );
  // Some programs call what they consist of modules, and have no manifest for each.
  const listed =
    wanted.kind === 'manifest' && wanted.about === 'workspaces'
      ? /\b(?:modules|packages|members)\b/i.exec(mentions.text)?.[0]
      : undefined;
  if (listed !== undefined)
    return toSteps(planMembers({ kind: 'members', of: listed.toLowerCase() }, mentions), tools);
  // Places of files may answer where no line does, as for routes and commands.
  if (wanted.kind === 'collection') {
    const of = wanted.of.replace(/^.* /, '');
    return toSteps(planMembers({ kind: 'members', of }, mentions), tools);
  }
  // Some projects tell of their releases with tags alone.
  if (wanted.kind === 'changes') {
    const tags: Draft = { tool: 'git.branches', input: { tags: true } };
    const until = wanted.version ?? from('s1', '/tags/0/name');
    return toSteps([tags, { tool: 'git.log', input: { from: until, limit: 15 } }], tools);
  }
  // A document may be about a name that nothing here defines.
  const isGuide = readings.some(({ kind }) => kind === 'guide');
  if (isGuide) return toSteps(draftsOf({ kind: 'guide' }, mentions), tools);
  const [named] = readings.filter((each) => each.kind === 'definition' && each.isName);
  if (named?.kind === 'definition') {
    // No definition has exactly this name: it stands in a text, or a part of one has it.
    return toSteps(
      [
        { tool: 'search.symbols', input: { name: named.name, limit: 10, ...below(mentions) } },
        readAt('s1', '/symbols/0'),
        ...rankedPassages('s3', mentions),
        {
          tool: 'search.grep',
          input: { pattern: named.name, literal: true, limit: 200, ...below(mentions) },
        },
      ],
      tools,
    );
  }
  if (readings[0].kind === 'manifest' && readings[0].about === 'version') {
    // Some projects say it in their code, or with tags alone.
    return toSteps(
      [
        {
          tool: 'search.grep',
          input: {
            pattern: String.raw`\b(?:__version__|[Vv]ersion|VERSION)\b\s*(?::?=|:)\s*["']v?\d+\.\d+|^\s*#\s*define\s+\w*VERSION(?:_STRING)?\s+"?v?\d[\d.]+`,
            globs: ['*.py', '*.go', '*.rb', '*.js', '*.ts', '*.rs', '*.{h,hpp}'],
            limit: 5,
            ...below(mentions),
          },
        },
        { tool: 'git.branches', input: { tags: true } },
      ],
      tools,
    );
  }
  const looked = readings.filter(({ kind }) => kind !== 'history');
  const isSearched = looked.every(({ kind }) => searching.includes(kind));
  return isSearched ? [] : toSteps(draftsOf({ kind: 'how' }, mentions), tools);
}

/**
 * The plan when git could not be asked: the question as one about the text. Empty when git was not
 * in the plan.
 */
export function planWithoutGit(
  intent: AskIntent,
  steps: readonly Pick<Step, 'tool'>[],
  tools: readonly Tool[],
): Step[] {
  return steps.some(({ tool }) => tool.startsWith('git.')) ? planIntent(intent, tools) : [];
}

/** What the words of a question mean in the workspace, where they fit no kind or led to nothing. */
export function planNames({ mentions }: AskIntent, tools: readonly Tool[]): Step[] {
  return toSteps(namesIn(mentions), tools);
}

function toSteps(drafts: readonly Draft[], tools: readonly Tool[]): Step[] {
  const steps = drafts.map((draft, index): Step => {
    const needs = new Set<string>();
    collectReferences(draft.input, needs);
    return {
      id: `s${index + 1}`,
      tool: draft.tool,
      input: draft.input,
      needs: [...needs],
      effect: tools.find((tool) => tool.name === draft.tool)?.effect ?? 'external',
    };
  });
  return renumberSteps(possibleSteps(steps, tools), 1);
}

/** Without those whose tool is not there, and without what would take from them. */
function possibleSteps(steps: readonly Step[], tools: readonly Tool[]): Step[] {
  const possible: Step[] = [];
  for (const step of steps) {
    const isThere = tools.some((tool) => tool.name === step.tool);
    const isFed = step.needs.every((need) => possible.some(({ id }) => id === need));
    if (isThere && isFed) possible.push(step);
  }
  return possible;
}

function collectReferences(value: unknown, needs: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  if ('$from' in value && typeof value.$from === 'string') needs.add(value.$from);
  for (const item of Object.values(value)) collectReferences(item, needs);
}
