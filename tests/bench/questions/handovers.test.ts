import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareFacts } from '../../../src/memory/facts/compare-facts.ts';
import { readFact } from '../../../src/router/facts/read-fact.ts';

type Case = { language: string; told: string; said: string; ends: boolean };

const read = <Row>(name: string): Row[] =>
  readFileSync(join(import.meta.dirname, `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);

const cases = read<Case>('handovers');
const questions = read<{ text: string }>('handover-questions').map(({ text }) => text);

/** Whether what is said ends what was told. */
function ends({ told, said }: Case): boolean {
  const [older, newer] = [readFact(told), readFact(said)];
  if (older === undefined || newer === undefined) return false;
  const { text, as: kind, act, denies } = newer;
  const relation = compareFacts(
    { text, kind, isChange: act === 'correct', ...(denies ? { denies } : {}) },
    { text: older.text, kind: older.as },
  );
  return relation === 'replaces' || relation === 'ends';
}

describe('what passes from one to another', () => {
  it.each(['en', 'de', 'es', 'fr', 'pt'])('ends what was before, in %s', (language) => {
    const missed = cases.filter((each) => each.language === language && each.ends && !ends(each));
    expect(missed).toEqual([]);
  });

  it.each(['en', 'de', 'es', 'fr', 'pt'])('ends nothing beside it, in %s', (language) => {
    const wrong = cases.filter((each) => each.language === language && !each.ends && ends(each));
    expect(wrong).toEqual([]);
  });

  it('is not said by a question', () => {
    const stored = questions.filter((said) => readFact(said)?.isWeak === false);
    expect(stored).toEqual([]);
    const ending = questions.filter((said) => cases.some((each) => ends({ ...each, said })));
    expect(ending).toEqual([]);
  });

  it('is told of enough cases', () => {
    expect(cases.filter((each) => each.ends).length).toBeGreaterThan(90);
    expect(cases.filter((each) => !each.ends).length).toBeGreaterThan(110);
  });
});
