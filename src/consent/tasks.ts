import type { Grant } from '../contracts/capability.ts';
import type { ConsentEffect } from '../contracts/consent.ts';
import type { HostCaller } from '../contracts/host-service.ts';
import { once } from '../lib/memo.ts';
import { sha256 } from '../lib/sha256.ts';
import { formatGrant } from '../policy/parse-grant.ts';

/** A part of what a task is foreseen to need: one yes allows it until the run ends. */
export type TaskPart = {
  /** as a person reads it, e.g. `change files of this folder` */
  says: string;
  plugin: string;
  digest: string;
  /** only these tools of the plugin */
  tools: readonly string[];
  grant: Grant;
  /** of a program: this command and no other */
  effect?: ConsentEffect;
};

/** The foreseen needs of runs, and the parts that a person allowed. */
export type Tasks = {
  expect(run: string, foresee: () => Promise<readonly TaskPart[]>): void;
  /** All parts of the task if all these needs belong to it; else none. */
  of(needs: readonly ConsentNeed[]): Promise<readonly TaskPart[]>;
  /** Keeps the yes to a whole task for its run. */
  allow(run: string | undefined, parts: readonly TaskPart[]): Promise<void>;
  allows(need: ConsentNeed): boolean;
  allowed(run: string): readonly string[];
  endRun(run: string): void;
};

export function createTasks({
  openHome,
  journaled,
}: {
  openHome(): void;
  journaled(command: string, what: string, change: () => void): Promise<void>;
}): Tasks {
  const tasks = new Map<
    string,
    { foresee(): Promise<readonly TaskPart[]>; allowed: readonly TaskPart[] }
  >();
  const taskOf = (run = '') => tasks.get(run);
  return {
    expect: (run, foresee) => void tasks.set(run, { foresee: once(foresee), allowed: [] }),
    of: async (needs) => {
      const task = taskOf(needs[0]?.caller.run);
      if (task === undefined || !needs.every(mayBeOfTask)) return [];
      const parts = await task.foresee();
      return needs.every((need) => parts.some((part) => isPartOf(part, need))) ? parts : [];
    },
    allow: async (run, parts) => {
      openHome();
      for (const { plugin, digest, grant, says, tools } of parts) {
        const by = `by ${tools.join(' ')} of ${run}`;
        const what = `task ${plugin}@${digest} ${formatGrant(grant)} for ${says} ${by}`;
        await journaled('consent', what, () => {});
      }
      const task = taskOf(run);
      if (task !== undefined) task.allowed = parts;
    },
    allows: (need) =>
      mayBeOfTask(need) &&
      (taskOf(need.caller.run)?.allowed ?? []).some((part) => isPartOf(part, need)),
    allowed: (run) => (taskOf(run)?.allowed ?? []).map(({ says }) => says),
    endRun: (run) => void tasks.delete(run),
  };
}

/** Whether a yes to a task may cover a need: never one to ask each time, or that sends data out. */
function mayBeOfTask({ builtin, effect, leaves, afterReading }: ConsentNeed): boolean {
  if (!builtin || leaves === true || afterReading !== undefined) return false;
  if (effect.capability === 'fs-write')
    return effect.runBy === undefined && !('readOnly' in effect.change && effect.change.readOnly);
  if (effect.capability === 'http' || effect.capability === 'call') return false;
  const { asks, eachTime, replaceable, origins = [], lasting = [] } = effect;
  const isPlain = asks === undefined && eachTime !== true && replaceable !== true;
  return isPlain && origins.length + lasting.length === 0;
}

function isPartOf(part: TaskPart, need: ConsentNeed): boolean {
  const { caller, grant, effect } = need;
  return (
    caller.plugin === part.plugin &&
    caller.digest === part.digest &&
    caller.tool !== undefined &&
    part.tools.includes(caller.tool) &&
    formatGrant(grant) === formatGrant(part.grant) &&
    (part.effect === undefined ||
      keyOf({ ...need, effect: part.effect }) === keyOf({ ...need, effect }))
  );
}

export type ConsentNeed = {
  effect: ConsentEffect;
  caller: HostCaller;
  builtin: boolean;
  /** what `session` and `project` give, when the detail makes a grant */
  grant: Grant;
  /** the reason of the denial that an answer may overrule */
  reason: string;
  hint: string;
  /** see `ConsentRequest` */
  afterReading?: string;
  /** data may leave the machine, or the effect cannot be undone */
  leaves?: boolean;
  /** Whether it was granted by now: the answer before this one may have covered it. */
  isHeld(): Promise<boolean>;
};

/** Two needs are one when the same binary wants the very same effect. */
export function keyOf({ caller, effect }: Pick<ConsentNeed, 'caller' | 'effect'>): string {
  const { plugin, digest } = caller;
  if (effect.capability === 'http') {
    const { method, url, sends } = effect;
    return JSON.stringify([plugin, digest, 'http', method, url, sends?.sha256 ?? '']);
  }
  if (effect.capability === 'call')
    return JSON.stringify([plugin, digest, 'call', effect.tool, effect.input]);
  if (effect.capability === 'exec') {
    const { program, args, cwd, stdin, origins = [], own, asks } = effect;
    if (asks !== undefined) return JSON.stringify([plugin, digest, 'exec', program, asks]);
    const words = [program, own?.sha256 ?? null, args, cwd, stdin ?? null, origins];
    return JSON.stringify([plugin, digest, 'exec', ...words]);
  }
  return JSON.stringify([plugin, digest, changeText(effect)]);
}

export function changeText({ change }: Extract<ConsentEffect, { capability: 'fs-write' }>): string {
  const words = [`fs-write ${change.kind} ${change.path}`];
  if (change.kind === 'rename') words.push(`to ${change.target}`);
  if ('before' in change && change.before !== undefined) words.push(sha256(change.before));
  if ('after' in change) words.push(`-> ${sha256(change.after)}`);
  return words.join(' ');
}
