import type { RunEvent } from '../../contracts/events.ts';
import type { Plan } from '../../contracts/plan.ts';
import type { ToolChoice } from '../../planner/choose-tools.ts';
import type { KernelConsent } from '../consent/create-consent.ts';
import type { JournaledRun } from '../journaled-run.ts';
import type { AskOptions } from '../kernel-options.ts';
import type { KernelMemory } from '../memory/create-memory.ts';
import type { KernelModel } from '../models/create-model.ts';
import type { KernelPlugins } from '../plugins/create-plugins.ts';
import type { PlanReasons } from './plan-reasons.ts';

export type KernelAsk = {
  /** Answers a question; ends with `answer` and `run-finished`, or `error` and `run-finished`. */
  ask(question: string, options?: AskOptions): AsyncGenerator<RunEvent, void, undefined>;
  /** Makes what a session is sent with shorter; ends as `ask` does. */
  compact(
    session: string,
    options?: { signal?: AbortSignal },
  ): AsyncGenerator<RunEvent, void, undefined>;
  /** The plan of `ask` without a model; runs nothing. */
  plan(question: string): Promise<Plan>;
  /** How the words were read, and which tools of installed plugins were thought of. */
  planReasons(question: string): Promise<PlanReasons>;
  /** All tools that have to do with a goal, best first. */
  searchTools(goal: string): Promise<readonly ToolChoice[]>;
};

/** What the kernel gives to questions. */
export type AskParts = {
  consent: KernelConsent;
  memory: KernelMemory;
  plugins: KernelPlugins;
  model: KernelModel;
  journaledRun: JournaledRun;
};
