import { describe, expect, it } from 'vitest';
import type { JobRecord } from '../src/index.ts';
import { hourMs, minuteMs } from './job.ts';
import { dueInMs, pauseMs, spanText, whyDue } from './why-due.ts';

const job = { everyMs: 6 * hourMs };
const nowMs = 1_800_000_000_000;
const yearMs = 365 * 24 * hourMs;
const record = (over: Partial<JobRecord>): JobRecord => ({
  name: 'a',
  sinceMs: nowMs,
  failures: 0,
  stops: 0,
  isRunning: false,
  ...over,
});

describe('dueInMs()', () => {
  it.each([
    ['just done', 0, 6 * hourMs],
    ['one ms before its period is over', 6 * hourMs - 1, 1],
    ['its period is over', 6 * hourMs, 0],
    ['many periods are over', yearMs, 0],
    ['the clock was set back a little', -minuteMs, 6 * hourMs + minuteMs],
    ['the clock was set back by more', -minuteMs - 1, 0],
    ['the clock was set back a year', -yearMs, 0],
  ])('%s', (_, passedMs, inMs) => {
    expect(dueInMs(job, record({ sinceMs: nowMs - passedMs }), nowMs)).toBe(inMs);
  });

  it('never is for a paused job', () => {
    const paused = record({ sinceMs: nowMs - yearMs, pausedMs: 1 });
    expect(dueInMs(job, paused, nowMs)).toBe(Number.POSITIVE_INFINITY);
    expect(whyDue(job, paused, nowMs)).toBeUndefined();
  });
});

describe('pauseMs()', () => {
  it('doubles from a minute with every failure, up to the period, an hour at least', () => {
    const minutes = (failures: number, everyMs: number) =>
      pauseMs({ everyMs }, record({ failures })) / minuteMs;
    expect([0, 1, 2, 3, 9, 10, 500].map((failures) => minutes(failures, 6 * hourMs))).toEqual([
      360, 1, 2, 4, 256, 360, 360,
    ]);
    expect([0, 1, 6, 7, 500].map((failures) => minutes(failures, 10 * minuteMs))).toEqual([
      10, 1, 32, 60, 60,
    ]);
  });
});

describe('whyDue()', () => {
  it.each([
    [{ sinceMs: nowMs - 7 * hourMs }, 'every 6 h, and 7 h have passed'],
    [{ sinceMs: nowMs - 7 * hourMs, lastRunMs: 1 }, 'every 6 h, and 7 h have passed'],
    [{ sinceMs: nowMs - 3 * minuteMs, failures: 2 }, 'try 3, 3 min after the last'],
    [{ sinceMs: nowMs + yearMs }, 'the clock was set back since its last run'],
    [{ sinceMs: nowMs }, undefined],
  ])('says of %j: %j', (over, why) => {
    expect(whyDue(job, record(over), nowMs)).toBe(why);
  });
});

describe('spanText()', () => {
  it.each([
    [3, '3 ms'],
    [2_400, '2 s'],
    [90 * minuteMs, '90 min'],
    [7 * hourMs, '7 h'],
    [yearMs, '365 days'],
  ])('%d ms is %s', (ms, text) => expect(spanText(ms)).toBe(text));
});
