import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findTestModel } from '../../tests/fixtures/find-test-model.ts';
import { unconfined as confine } from '../../tests/support/unconfined.ts';
import { choiceItems, wordItems } from './model-exam.ts';
import { forExam } from './model-reach.ts';
import { openLlama } from './open-llama.ts';
import { type ExamOutcome, testModel } from './test-model.ts';

const signal = new AbortController().signal;
const aims = { firstTokenMs: 8_000, durationMs: 600_000 };
const childPath = fileURLToPath(new URL('./llama/child.ts', import.meta.url));

const none = { isInputRight: true };
const wrong = { called: 'no.such-tool', isInputRight: false };
/** As a test that was interrupted left it: of three choices one was wrong, or not made yet. */
const mostlyKnown: Record<string, ExamOutcome> = Object.fromEntries([
  ...choiceItems
    .map(({ steps }, index): [string, ExamOutcome] => {
      const called = steps.map(({ tool }) => ({ called: tool, isInputRight: true }));
      const right = steps.length === 0 ? [none] : called;
      return [`choice-${index}`, { steps: index % 3 === 0 ? [wrong] : right, tookMs: 1 }];
    })
    .filter((_, index) => index % 6 !== 0),
  ...wordItems
    .map((_, index): [string, ExamOutcome] => [`word-${index}`, { isRight: true, tookMs: 1 }])
    .filter((_, index) => index % 3 !== 0),
]);

// The smaller one is asked everything; the larger one reads for minutes.
describe.each([
  ['stories260K', 'none', {}],
  ['smollm2', 'word', mostlyKnown],
] as const)('testModel() with %s', (name, role, known) => {
  const path = findTestModel(name);
  it.skipIf(path === undefined)(
    `gives the role ${role} or less (skipped where CUERVO_TEST_MODELS has no ${name})`,
    async () => {
      const measured = forExam(aims);
      await using model = await openLlama({ path: path ?? '', childPath, confine, measured });
      const score = await testModel(model, { signal, aims, known });
      // How fast this machine is today is not a property of the code.
      expect(['none', role]).toContain(score.role);
      expect(score.choose).toBeLessThan(5 / 6);
      expect(score.charsPerSecond).toBeGreaterThan(0);
      expect(score.reach?.promptTokens).toBeGreaterThanOrEqual(800);
    },
    900_000,
  );
});
