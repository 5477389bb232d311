import { describe, expect, it } from 'vitest';
import { readHolds, readThen, withoutThen } from './read-time.ts';

const nowMs = Date.UTC(2026, 10, 24, 12);
const day = (ms: number | undefined) =>
  ms === undefined ? undefined : new Date(ms).toISOString().slice(0, 10);

describe('readThen()', () => {
  it.each([
    ['when were releases in March?', '2026-03-01', '2026-03-31'],
    ['when were releases in December?', '2025-12-01', '2025-12-31'],
    ['when were releases in March 2024?', '2024-03-01', '2024-03-31'],
    ['what was the port on 12 March?', '2026-03-12', '2026-03-12'],
    ['what was the port on 2025-02-03?', '2025-02-03', '2025-02-03'],
    ['wann waren Releases im März?', '2026-03-01', '2026-03-31'],
    ['¿cuándo eran las entregas en marzo?', '2026-03-01', '2026-03-31'],
    ['quand étaient les livraisons en août ?', '2026-08-01', '2026-08-31'],
    ['quando eram as entregas em março?', '2026-03-01', '2026-03-31'],
    ['who was on call in 2025?', '2025-01-01', '2025-12-31'],
    ['who was on call yesterday?', '2026-11-23', '2026-11-23'],
    ['who was on call last month?', '2026-10-01', '2026-10-31'],
    ['who was on call last year?', '2025-01-01', '2025-12-31'],
    ['when did we release before June?', '1970-01-01', '2026-05-31'],
    ['wann war die Probe vor September?', '1970-01-01', '2026-08-31'],
    ['who led the team after May?', '2026-06-01', '2026-11-24'],
    ['what happened in the week of 17 August 2026?', '2026-08-17', '2026-08-23'],
    ['was geschah in der Woche vom 20. August?', '2026-08-17', '2026-08-23'],
    ['the warnings of 5 November', '2026-11-05', '2026-11-05'],
    ['who led the team in summer?', '2026-06-01', '2026-08-31'],
    ['who led the team last winter?', '2025-12-01', '2026-02-28'],
    ['where was the office in the second quarter of 2025?', '2025-04-01', '2025-06-30'],
    ['where was the office between October and January?', '2025-10-01', '2026-01-31'],
    ['where was the office three months ago?', '2026-08-24', '2026-08-24'],
    ['wo war das Büro vor zwei Wochen?', '2026-11-10', '2026-11-10'],
    ['qui dirigeait les archives il y a un an ?', '2025-11-24', '2025-11-24'],
    ['who led the team at the beginning of the year?', '2026-01-01', '2026-01-31'],
  ])('reads the time of "%s"', (text, from, to) => {
    const span = readThen(text, nowMs);
    expect([day(span?.fromMs), day(span?.toMs)]).toEqual([from, to]);
  });

  it.each([
    'when do releases happen?',
    'what may break?',
    'which march is it',
    'in 2031, what then',
    'what was the first to fail?',
    'who is on the summer team?',
  ])('finds none in "%s"', (text) => expect(readThen(text, nowMs)).toBeUndefined());
});

it.each([
  ['what did I say today?', '2026-11-24', '2026-11-24'],
  ['was habe ich diese Woche gesagt?', '2026-11-23', '2026-11-24'],
  ['what did I tell you this month?', '2026-11-01', '2026-11-30'],
  ['what did I say on Tuesday?', '2026-11-17', '2026-11-17'],
  ['what did I say last Sunday?', '2026-11-22', '2026-11-22'],
  ['o que eu disse na segunda?', '2026-11-23', '2026-11-23'],
])('readThen() reads when something was said: "%s"', (text, from, to) => {
  const span = readThen(text, nowMs, true);
  expect([day(span?.fromMs), day(span?.toMs)]).toEqual([from, to]);
  expect(readThen(text, nowMs)).toBeUndefined();
});

it.each([
  ['who led the team three months ago?', 'who led the team ?'],
  ['who led the team between May and June?', 'who led the team ?'],
])('withoutThen() leaves of "%s" what is asked', (text, left) => {
  expect(withoutThen(text)).toBe(left);
});

describe('readHolds()', () => {
  it.each([
    ['from 1 June on releases happen on Fridays', '2026-06-01'],
    ['since March the office is in Berlin', '2026-03-01'],
    ['the port is 9090 as of 2026-12-01', '2026-12-01'],
    ['as of 3 January the port is 9090', '2027-01-03'],
    ['ab dem 1. Juni finden Releases am Freitag statt', '2026-06-01'],
    ['desde marzo la oficina está en Granada', '2026-03-01'],
  ])('reads from when on "%s" holds', (text, from) => {
    expect(day(readHolds(text, nowMs))).toBe(from);
  });

  it('finds none where none is named', () => {
    expect(readHolds('releases come from the main branch', nowMs)).toBeUndefined();
  });
});
