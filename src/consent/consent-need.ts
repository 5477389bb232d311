import type { Grant } from '../contracts/capability.ts';
import type { ConsentEffect } from '../contracts/consent.ts';
import type { HostCaller } from '../contracts/host-service.ts';
import { sha256 } from '../lib/sha256.ts';

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
