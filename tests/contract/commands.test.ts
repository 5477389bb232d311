import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LineError } from '../../plugins/shell/line-error.ts';
import { parseLine } from '../../plugins/shell/parse-line.ts';
import type { CommandDecision } from '../../src/policy/rules/command-rule.ts';
import { judgeLine } from '../../src/policy/rules/judge-line.ts';
import { loadRules } from '../../src/policy/rules/load-rules.ts';

type Labelled = { command: string; decision: CommandDecision };

const file = join(import.meta.dirname, '..', 'fixtures', 'commands.jsonl');
const labelled = readFileSync(file, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line): Labelled => JSON.parse(line));
const decisions = ['allow', 'ask', 'deny'] as const;

const rules = loadRules();

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
function confusion(judged: readonly (Labelled & { found: CommandDecision })[]): string {
  const row = (label: CommandDecision): string => {
    const counts = decisions.map(
      (found) => judged.filter((each) => each.decision === label && each.found === found).length,
    );
    return `${label.padEnd(8)}${counts.map((count) => String(count).padStart(7)).join('')}`;
  };
  const head = `label   ${decisions.map((found) => found.padStart(7)).join('')}`;
  return [head, ...decisions.map(row)].join('\n');
}

describe('judgeLine() on labelled commands', () => {
  it('decides each as its label says', () => {
    const judged = labelled.map((each) => {
      const { decision: found, rule, reason } = judge(each.command);
      return { ...each, found, rule, reason };
    });
    const wrong = judged
      .filter(({ decision, found }) => decision !== found)
      .map(
        ({ command, decision, found, rule, reason }) =>
          `${JSON.stringify(command)}: ${decision}, found ${found} (${rule}: ${reason})`,
      );
    expect(wrong, `\n${confusion(judged)}\n${wrong.join('\n')}`).toEqual([]);
  });

  it('reads a set in which each label is there', () => {
    expect(labelled.length).toBeGreaterThan(200);
    expect(new Set(labelled.map(({ decision }) => decision)).size).toBe(decisions.length);
  });
});
