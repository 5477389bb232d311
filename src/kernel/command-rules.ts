import { join } from 'node:path';
import type { Config } from '../config/load-config.ts';
import type { JudgeCommand } from '../contracts/authority.ts';
import { KernelError } from '../contracts/error.ts';
import { ServiceError } from '../contracts/host-service.ts';
import { once } from '../lib/once.ts';
import { readTextIfPresent } from '../lib/read-text-if-present.ts';
import { judgeCommand } from '../policy/rules/judge-command.ts';
import { loadRules } from '../policy/rules/load-rules.ts';

/**
 * Judges programs by the shipped rules and those of `CUERVO_HOME/rules.toml`, read when the first
 * program is asked for. While they cannot be read, no program runs.
 */
export function createCommandJudge(config: Pick<Config, 'home' | 'workspace'>): JudgeCommand {
  const rules = once(() => loadRules(readTextIfPresent(join(config.home, 'rules.toml'))));
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
