import { describe, expect, it } from 'vitest';
import { contextFor, firstTokenMs, type Measured, reachOf } from './model-reach.ts';

const aims = { firstTokenMs: 8_000, durationMs: 600_000 };

function measured(prefill: number, decode: number, change: Partial<Measured> = {}): Measured {
  const base = { prefill, decode, trainedTokens: 32_768, margin: 0, subtractsNeutral: false, aims };
  const whole = { ...base, contextTokens: 0, ...change };
  return { ...whole, contextTokens: contextFor(whole, whole.aims) };
}

function reach(found: Measured) {
  return reachOf(found.contextTokens, found);
}

describe('reachOf()', () => {
  it('makes prompts as long as are read within the time of the first word', () => {
    expect(reach(measured(450, 30)).promptTokens).toBe(3_600);
    expect(reach(measured(2_000, 60)).promptTokens).toBe(16_000);
    const short = measured(450, 30, { aims: { ...aims, firstTokenMs: 4_000 } });
    expect(reach(short).promptTokens).toBe(1_800);
    expect(firstTokenMs(reach(measured(450, 30)), { prefill: 450 })).toBe(8_000);
  });

  it('never makes them shorter than 800 tokens, whose wait is then longer', () => {
    const slow = measured(20, 4);
    expect(reach(slow).promptTokens).toBe(800);
    expect(firstTokenMs(reach(slow), slow)).toBe(40_000);
  });

  it('lets an answer take a fifth of the time of a question, within bounds', () => {
    expect(reach(measured(450, 5)).answerTokens).toBe(600);
    expect(reach(measured(450, 0.5)).answerTokens).toBe(160);
    expect(reach(measured(2_000, 1_000)).answerTokens).toBe(4_000);
  });

  it('allows the rounds that fit into the time of a question', () => {
    expect(reach(measured(450, 5)).rounds).toBe(27);
    const short = { ...aims, durationMs: 20_000 };
    expect(reach(measured(450, 10, { aims: short })).rounds).toBe(1);
  });

  it('shows five to eight tools, by the room that there is', () => {
    expect(reach(measured(20, 4)).tools).toBe(5);
    expect(reach(measured(125, 4)).tools).toBe(6);
    expect(reach(measured(2_000, 4)).tools).toBe(8);
  });

  it('stays within the context that a model was trained on', () => {
    const small = measured(2_000, 60, { trainedTokens: 2_048 });
    const { promptTokens, answerTokens } = reach(small);
    expect(small.contextTokens).toBe(2_048);
    expect(promptTokens + answerTokens).toBeLessThanOrEqual(2_048);
  });

  it('gives a model that nobody tested the least', () => {
    expect(reachOf(1_024, undefined)).toMatchObject({
      ...{ promptTokens: 800, answerTokens: 160, rounds: 1, tools: 5 },
    });
  });
});
