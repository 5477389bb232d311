import { describe, expect, it } from 'vitest';
import { openScripted } from '../../tests/fixtures/open-scripted.ts';
import { openSettings } from '../../tests/support/open-settings.ts';
import type { ChatModel } from '../contracts/model.ts';
import type { ModelScore } from '../contracts/output/parse-model.ts';
import { examOf, keepExam, keepScore, roleOf, scoreOf } from './model-scores.ts';

const score: ModelScore = {
  ...{ choose: 1, none: 1, word: 1, role: 'choose', charsPerSecond: 20, tookMs: 5 },
};

function model(digest: string, mustCall = true): ChatModel {
  const scripted = openScripted({ name: 'scripted', reply: () => ({ text: '' }) });
  return { ...scripted, reach: { ...scripted.reach, mustCall }, digest: async () => digest };
}

const file = 'a'.repeat(64);
const other = 'b'.repeat(64);

describe('roleOf()', () => {
  it('goes by the test of the very file, on this machine', async () => {
    const settings = openSettings();
    expect(await roleOf(model(file), 'qwen', 'auto', settings)).toEqual({
      ...{ role: 'word', tested: 'never', hasPassed: false },
    });
    keepScore('qwen', file, score, settings);
    expect(await roleOf(model(file), 'qwen', 'auto', settings)).toEqual({
      ...{ role: 'choose', tested: 'yes', hasPassed: true },
    });
    const [key = ''] = [...settings.kept.keys()].filter((each) => each.startsWith('model-score'));
    expect(key).toMatch(/^model-score:a{64}@[0-9a-f]{12}$/);
  });

  it('says that a file changed after its test, and trusts the old score no more', async () => {
    const settings = openSettings();
    keepScore('qwen', file, score, settings);
    expect(await roleOf(model(other), 'qwen', 'auto', settings)).toEqual({
      ...{ role: 'word', tested: 'changed', hasPassed: false },
    });
  });

  it('does what the person said, tested or not', async () => {
    const settings = openSettings();
    expect((await roleOf(model(file), 'qwen', 'choose', settings)).role).toBe('choose');
    keepScore('qwen', file, { ...score, role: 'none' }, settings);
    expect((await roleOf(model(file), 'qwen', 'word', settings)).role).toBe('word');
    expect((await roleOf(model(file), 'qwen', 'auto', settings)).role).toBe('none');
  });

  it('lets a model of a server choose that nobody tested', async () => {
    const found = await roleOf(model('http://x#m', false), 'x/m', 'auto', openSettings());
    expect(found).toEqual({ role: 'choose', tested: 'never', hasPassed: false });
  });
});

describe('scoreOf()', () => {
  it('takes no score of an older test', () => {
    const settings = openSettings();
    settings.setSetting('model-score:http://x#m', { choose: 1, word: 1, role: 'choose' });
    expect(scoreOf('http://x#m', settings)).toBeUndefined();
    keepScore('x/m', 'http://x#m', score, settings);
    expect(scoreOf('http://x#m', settings)).toEqual(score);
  });
});

describe('examOf()', () => {
  it('knows what was answered before an interruption, until the test is done', () => {
    const settings = openSettings();
    const outcomes = { 'choice-0': { tookMs: 3, steps: [{ isInputRight: true }] } };
    expect(examOf(file, settings)).toEqual({});
    keepExam(file, outcomes, settings);
    expect(examOf(file, settings)).toEqual(outcomes);
    keepScore('qwen', file, score, settings);
    expect(examOf(file, settings)).toEqual({});
  });
});
