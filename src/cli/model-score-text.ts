import type { ModelScore } from '../contracts/output/parse-model-score.ts';
import type { TestForecast } from '../kernel/models/create-model.ts';
import { sizeText } from '../lib/text/amounts.ts';

export const roleTexts = {
  choose: 'it may choose tools and word answers',
  word: 'it may word answers; the tools are chosen by rules',
  none: 'the passages are shown without its words',
} as const;

/** The cost of a test, on one line. */
export function forecastText({ choices, answers, known, seconds, usd }: TestForecast): string {
  const takes =
    seconds !== undefined
      ? `, about ${timeText(seconds)}`
      : usd !== undefined
        ? `, about $${usd.toFixed(usd < 0.01 ? 4 : 2)}`
        : ', at an unknown price';
  const before = known > 0 ? `; ${known} of them are known of an earlier start` : '';
  return `the test asks for ${choices} tool choices and ${answers} answers${takes}${before}`;
}

export function* scoreLines(score: ModelScore): Generator<string> {
  const { choose, none, word, charsPerSecond, role, measured, reach } = score;
  yield `tool choices  ${Math.round(choose * 60)} of 60 (${Math.round(none * 10)} of 10 where no tool fits)`;
  yield `answers       ${Math.round(word * 12)} of 12, ${Math.round(charsPerSecond)} characters a second`;
  if (measured !== undefined) {
    const { prefill, decode, memoryBytes, trainedTokens, contextTokens } = measured;
    yield `speed         reads ${Math.round(prefill)} and writes ${Math.round(decode)} tokens a second`;
    yield `memory        ${sizeText(memoryBytes)}`;
    yield `context       ${contextTokens} of ${trainedTokens} tokens${measured.hasTemplate ? '' : '; its file has no chat template, so a plain form is used'}`;
  }
  if (reach !== undefined) {
    const { promptTokens, answerTokens, rounds, tools, firstTokenMs } = reach;
    yield `questions     ${promptTokens} tokens of prompt, ${answerTokens} of answer, ${tools} tools, ${rounds === 1 ? '1 round' : `${rounds} rounds`}`;
    yield `first word    after at most ${timeText(firstTokenMs / 1_000)}`;
  }
  yield `role          ${role}: ${roleTexts[role]}`;
}

function timeText(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.ceil(seconds))} s`;
  return `${Math.ceil(seconds / 60)} min`;
}
