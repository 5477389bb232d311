import { join } from 'node:path';
import type { Config } from '../config/load-config.ts';
import type { JudgeCommand } from '../contracts/authority.ts';
import { KernelError } from '../contracts/error.ts';
import { ServiceError } from '../contracts/host-service.ts';
import { readTextIfPresent } from '../lib/read-text-if-present.ts';
import type { CommandRule } from '../policy/rules/command-rule.ts';
import { judgeCommand } from '../policy/rules/judge-command.ts';
import { loadRules } from '../policy/rules/load-rules.ts';

/** The rules on programs as they hold now. */
export type CommandRules = () => readonly CommandRule[];

/**
 * What is shipped and what stands in `rules.toml`, which is read at every use because a person may
 * edit it, and checked again when it changed. No file of a project adds to it. Rules of a set are
 * among them only where a person named that set.
 *
 * @throws {KernelError} `invalid-argument` for a set that no rule belongs to
 */
export function openCommandRules(home: string, set?: string): CommandRules {
  let known: { text: string | undefined; rules: readonly CommandRule[] } | undefined;
  const rules = (): readonly CommandRule[] => {
    const text = readTextIfPresent(join(home, 'rules.toml'));
    if (known === undefined || known.text !== text) known = { text, rules: loadRules(text) };
    return known.rules;
  };
  if (set !== undefined) requireSet(rules(), set);
  return () => rules().filter((rule) => rule.set === undefined || rule.set === set);
}

function requireSet(rules: readonly CommandRule[], set: string): void {
  const sets = [...new Set(rules.flatMap((rule) => rule.set ?? []))];
  if (sets.includes(set)) return;
  const there = sets.length === 0 ? 'there is none' : `there are ${sets.join(', ')}`;
  throw new KernelError('invalid-argument', `no rule belongs to the set "${set}"; ${there}`, {
    hint: `Give rules of rules.toml the line: set = "${set}"`,
  });
}

/** Judges the programs that plugins ask for. While the rules cannot be read, no program runs. */
export function createCommandJudge(
  rules: CommandRules,
  config: Pick<Config, 'workspace'>,
): JudgeCommand {
  const places = { roots: [config.workspace] };
  return (command) => {
    try {
      return judgeCommand(command, rules(), places);
    } catch (thrown) {
      const { message } = KernelError.from(thrown, 'internal');
      const reason = 'the rules on programs cannot be read';
      throw new ServiceError('denied', reason, command.program, `Mend rules.toml: ${message}`);
    }
  };
}
