import { describe, expect, it } from 'vitest';
import { saysDecision } from './turns.ts';

describe('saysDecision()', () => {
  it.each([
    'We decided to keep the queue in Postgres.',
    "we've agreed to release on Thursdays, where is the script?  We have decided.",
    'Decision: no cloud account',
    'After the outage we are going with two replicas.',
    'I chose the smaller model',
  ])('hears it in: %s', (text) => {
    expect(saysDecision(text)).toBe(true);
  });

  it.each([
    'where is decided how often it is tried again?',
    'Have we decided to keep the queue in Postgres?',
    'how does it decide which tool to choose',
    'who agreed to that',
    'the port is 8080',
  ])('and not in: %s', (text) => {
    expect(saysDecision(text)).toBe(false);
  });
});
