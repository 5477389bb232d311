import { expect } from 'vitest';
import type { Ran } from '../../support/run-cuervo.ts';
import type { Outcome } from '../guests/attempt.ts';
import { expectNoHostPath, expectNoSecret, expectSuccess, type Place } from './place.ts';

/**
 * What a guest saw of many calls, in a run that succeeded: the guest lives on after each
 * refusal, and not one of them tells it anything of the host.
 */
export function outcomesOf(place: Place, ran: Ran): Outcome[] {
  const outcomes = expectSuccess(ran) as Outcome[];
  expectNoSecret(place, ran);
  for (const outcome of outcomes) {
    // The guest's own words come back to it, quoted.
    if (!outcome.ok) expectNoHostPath(place, outcome.message.replaceAll(outcome.path || '""', ''));
  }
  return outcomes;
}

/** Every call on every path was refused, with one of these codes. */
export function expectAllRefused(outcomes: readonly Outcome[], codes: readonly string[]): void {
  expect(outcomes.length).toBeGreaterThan(0);
  const others = outcomes.filter((outcome) => outcome.ok || !codes.includes(outcome.code));
  expect(others).toEqual([]);
}

/** Calls that were answered, by name. */
export function answered(outcomes: readonly Outcome[]): string[] {
  return outcomes.filter((outcome) => outcome.ok).map((outcome) => outcome.call);
}
