import { join } from 'node:path';
import { programPaths } from '../../config/paths.ts';
import type { JudgeCommand } from '../../contracts/authority.ts';
import type { Config } from '../../contracts/config.ts';
import { createContentGate } from '../../contracts/content-gate.ts';
import { KernelError } from '../../contracts/error.ts';
import { ServiceError } from '../../contracts/host-service.ts';
import { protectedBelow, workRoot } from '../../lib/files/paths.ts';
import { readTextIfPresent } from '../../lib/files/read-file.ts';
import type { CommandRule, Places } from '../../policy/rules/command-rule.ts';
import { judgeCommand } from '../../policy/rules/judge-command.ts';
import { loadRules, readShippedRules } from '../../policy/rules/load-rules.ts';

/** The rules on programs as they hold now. */
export type CommandRules = () => readonly CommandRule[];

/**
 * The shipped rules and those of `rules.toml`, which is read at every use because a person may edit
 * it, and checked again after a change. Files of a project add nothing. Rules of a set hold only
 * when a person named that set.
 *
 * @throws {KernelError} `invalid-argument` for a set without rules
 */
export function openCommandRules(home: string, set?: string): CommandRules {
  const shipped = readShippedRules(programPaths().rules);
  let known: { text: string | undefined; rules: readonly CommandRule[] } | undefined;
  const rules = (): readonly CommandRule[] => {
    const text = readTextIfPresent(join(home, 'rules.toml'));
    if (known === undefined || known.text !== text)
      known = { text, rules: loadRules(shipped, text) };
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
    hint: `Add this line to the rules in rules.toml: set = "${set}"`,
  });
}

/** The rules' facts about paths in a command. */
export function commandPlaces(config: Pick<Config, 'workspace' | 'home' | 'protection'>): Places {
  const { isProtected } = createContentGate(protectedBelow(config));
  return { roots: [config.workspace], isProtected: (path) => isProtected(path, workRoot) };
}

/** Judges the programs that plugins ask for. While the rules cannot be read, no program runs. */
export function createCommandJudge(
  rules: CommandRules,
  config: Pick<Config, 'workspace' | 'home' | 'protection'>,
): JudgeCommand {
  const places = commandPlaces(config);
  return (command) => {
    try {
      return judgeCommand(command, rules(), places);
    } catch (thrown) {
      const { message } = KernelError.from(thrown, 'internal');
      const reason = 'the rules on programs cannot be read';
      throw new ServiceError('denied', reason, command.program, `Fix rules.toml: ${message}`);
    }
  };
}
