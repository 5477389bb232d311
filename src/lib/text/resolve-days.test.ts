import { describe, expect, it } from 'vitest';
import { resolveDays } from './resolve-days.ts';

/** A Tuesday. */
const nowMs = Date.UTC(2026, 10, 24, 12);

describe('resolveDays()', () => {
  it.each([
    ['the dentist is next Tuesday at 8', 'the dentist is next Tuesday (2026-12-01) at 8'],
    ['Ana is away this Friday', 'Ana is away this Friday (2026-11-27)'],
    ['we move tomorrow', 'we move tomorrow (2026-11-25)'],
    ['the day after tomorrow is a holiday', 'the day after tomorrow (2026-11-26) is a holiday'],
    ['the disk failed yesterday', 'the disk failed yesterday (2026-11-23)'],
    ['my passport ends in two months', 'my passport ends in two months (2027-01-24)'],
    ['the audit is next week', 'the audit is next week (2026-11-30 to 2026-12-06)'],
    ['it opens next month', 'it opens next month (2026-12-01 to 2026-12-31)'],
    ['der Umzug ist übermorgen', 'der Umzug ist übermorgen (2026-11-26)'],
    ['nächsten Montag kommt Lea', 'nächsten Montag (2026-11-30) kommt Lea'],
    ['la cita es mañana', 'la cita es mañana (2026-11-25)'],
    ['le train part vendredi prochain', 'le train part vendredi prochain (2026-11-27)'],
    ['a reunião é na próxima terça', 'a reunião é na próxima terça (2026-12-01)'],
  ])('writes the date behind "%s"', (text, dated) => {
    expect(resolveDays(text, nowMs)).toBe(dated);
    expect(resolveDays(dated, nowMs)).toBe(dated);
  });

  it.each([
    'releases happen on Thursdays',
    'Ana is off on Friday',
    'am Morgen ist das Büro leer',
    'por la mañana hay café',
    'der Drucker steht hier',
    'from 1 June on releases happen on Mondays',
  ])('leaves "%s" as it is', (text) => expect(resolveDays(text, nowMs)).toBe(text));
});
