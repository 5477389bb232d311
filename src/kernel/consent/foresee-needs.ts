import type { ConsentDesk } from '../../consent/consent-desk.ts';
import type { ConsentNeed, TaskPart } from '../../consent/tasks.ts';
import type { Mentions } from '../../contracts/intent.ts';
import type { Plan, Step } from '../../contracts/plan.ts';
import type { Json, JsonObject, Tool, ToolInvoker } from '../../contracts/tool.ts';
import { quoteText } from '../../lib/text/escape.ts';
import { referencesOf } from '../../planner/check-plan.ts';

/** The most steps of a plan that are rehearsed; later ones are asked about at their calls. */
const maxRehearsed = 20;
/** The time for one rehearsal, which only has to reach its first effect. */
const maxRehearsalMs = 5000;
/** The most steps that one question covers, so that a person reads it. */
const maxTogether = 10;

export type RehearsalPorts = {
  invoker: Pick<ToolInvoker, 'invoke'>;
  desk: Pick<ConsentDesk, 'foreseen'>;
  run: string;
  signal: AbortSignal;
  stepTimeoutMs: number;
};

/**
 * Asks once about what several steps of a plan need alike, before any of them runs. Each step whose
 * input is known is rehearsed: its tool runs up to the first effect that a person would be asked
 * about, and that effect is not made. What a step then really does is compared with what was shown;
 * anything else is asked about at its call, like all that cannot be foreseen.
 */
export async function foreseeNeeds(
  plan: Plan,
  ports: RehearsalPorts & { desk: Pick<ConsentDesk, 'open' | 'askTogether'> },
): Promise<void> {
  const { desk, signal } = ports;
  const steps = plan.steps.filter(hasEffect).filter(isInputKnown);
  // A single need is asked about at its call, where more is known.
  if (!desk.open || steps.length < 2) return;
  const needs: ConsentNeed[] = [];
  for (const step of steps.slice(0, maxRehearsed)) {
    const need = await rehearse(step, ports);
    signal.throwIfAborted();
    if (need !== undefined) needs.push(need);
  }
  const groups = Map.groupBy(needs, ({ caller, grant }) =>
    JSON.stringify([caller.plugin, caller.digest, grant.capability, grant.detail]),
  );
  for (const group of groups.values()) {
    for (let at = 0; at < group.length; at += maxTogether) {
      await desk.askTogether(group.slice(at, at + maxTogether), { signal });
    }
  }
}

/** Runs the tool of a step up to its first effect. @returns the question that it would ask */
async function rehearse(step: Step, ports: RehearsalPorts): Promise<ConsentNeed | undefined> {
  const rehearsal = { step: step.id };
  const { invoker, desk, run, signal } = ports;
  const timeoutMs = Math.min(ports.stepTimeoutMs, maxRehearsalMs);
  const call = { tool: step.tool, input: step.input as JsonObject };
  try {
    const events = invoker.invoke(call, { signal, timeoutMs, run, step: step.id, rehearsal });
    for await (const _ of events);
  } catch {
    // Ignored: a rehearsal ends at its first effect, or fails as the real step will.
  }
  return desk.foreseen(rehearsal);
}

function hasEffect({ effect }: Step): boolean {
  return effect !== 'pure' && effect !== 'read';
}

/** Whether no part of the input comes from another step. */
function isInputKnown({ input }: Step): boolean {
  return referencesOf(input as Json).next().done === true;
}

/** Tools that delete, which a person does not expect of a task that changes files. */
const notForeseen: ReadonlySet<string> = new Set(['file.delete']);

/**
 * The needs of a task that can be foreseen from a person's words: changes of files, the command
 * that runs the tests, a commit. Anything else is asked about when it comes.
 *
 * @param tools those of built-in plugins
 */
export async function taskParts(
  { text, wantsChange, wantsCommit }: Pick<Mentions, 'text' | 'wantsChange' | 'wantsCommit'>,
  tools: readonly Tool[],
  ports: RehearsalPorts,
): Promise<TaskPart[]> {
  const named = (...names: string[]) => tools.filter(({ name }) => names.includes(name));
  const parts: TaskPart[] = [];
  const add = (says: string, of: readonly Tool[], part: Pick<TaskPart, 'grant' | 'effect'>) => {
    const [first] = of;
    if (first === undefined) return;
    const { plugin, digest } = first;
    parts.push({ says, plugin, digest, tools: of.map(({ name }) => name), ...part });
  };
  if (wantsChange) {
    const writing = tools.filter(
      ({ plugin, effect, name }) =>
        plugin === 'file' && effect === 'write' && !notForeseen.has(name),
    );
    const grant = { capability: 'fs-write', detail: 'work' } as const;
    add('change files of this folder', writing, { grant });
  }
  if (wantsChange || /\btests?\b/i.test(text)) {
    const [runner] = named('shell.run-tests');
    const step = { id: 'tests', tool: 'shell.run-tests', input: {}, needs: [] };
    const need =
      runner === undefined ? undefined : await rehearse({ ...step, effect: 'external' }, ports);
    if (runner !== undefined && need?.effect.capability === 'exec') {
      const { program, args } = need.effect;
      const line = [program, ...args].map((word) => quoteText(word)).join(' ');
      add(`run ${line}`, [runner], { grant: need.grant, effect: need.effect });
    }
  }
  if (wantsCommit) {
    const grant = { capability: 'exec', detail: 'git' } as const;
    add('stage and commit with git', named('git.stage', 'git.commit'), { grant });
  }
  return parts;
}
