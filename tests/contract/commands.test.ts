import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LineError } from '../../plugins/shell/line-error.ts';
import { parseLine } from '../../plugins/shell/parse-line.ts';
import { programPaths } from '../../src/config/paths.ts';
import type { CommandDecision } from '../../src/policy/rules/command-rule.ts';
import { judgeLine } from '../../src/policy/rules/judge-command.ts';
import { loadRules, readShippedRules } from '../../src/policy/rules/load-rules.ts';

/** `rule` is the one that decides; see docs/policy.md. */
type Labelled = { command: string; decision: CommandDecision; rule: string };

const file = join(import.meta.dirname, '..', 'fixtures', 'commands.jsonl');
const labelled = readFileSync(file, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line): Labelled => JSON.parse(line));
const decisions = ['allow', 'ask', 'deny'] as const;

const rules = loadRules(readShippedRules(programPaths().rules));

function judge(command: string): { decision: CommandDecision; rule: string; reason: string } {
  try {
    const { pipelines } = parseLine(command, { variables: new Map(), cwd: '' });
    return judgeLine({ pipelines }, rules);
  } catch (thrown) {
    if (thrown instanceof LineError) {
      return { decision: 'ask', rule: 'not-understood', reason: thrown.message };
    }
    throw thrown;
  }
}

/** Labels down, decisions across: a person sees at once which way it went wrong. */
function confusion(
  judged: readonly (Labelled & { found: { decision: CommandDecision } })[],
): string {
  const row = (label: CommandDecision): string => {
    const counts = decisions.map(
      (found) =>
        judged.filter((each) => each.decision === label && each.found.decision === found).length,
    );
    return `${label.padEnd(8)}${counts.map((count) => String(count).padStart(7)).join('')}`;
  };
  const head = `label   ${decisions.map((found) => found.padStart(7)).join('')}`;
  return [head, ...decisions.map(row)].join('\n');
}

describe('judgeLine() on labelled commands', () => {
  it('decides each as its label says, by the rule that it names', () => {
    const judged = labelled.map((each) => ({ ...each, found: judge(each.command) }));
    const wrong = judged
      .filter(({ decision, rule, found }) => decision !== found.decision || rule !== found.rule)
      .map(
        ({ command, decision, rule, found }) =>
          `${JSON.stringify(command)}: ${decision} (${rule}), found ${found.decision} (${found.rule}: ${found.reason})`,
      );
    expect(wrong, `\n${confusion(judged)}\n${wrong.join('\n')}`).toEqual([]);
  });

  it('shows each shipped rule by a command', () => {
    const shown = new Set(labelled.map(({ rule }) => rule));
    expect(rules.map(({ name }) => name).filter((name) => !shown.has(name))).toEqual([]);
  });
});
