import { describe, expect, it } from 'vitest';
import { readChange } from './read-change.ts';

describe('readChange()', () => {
  it.each([
    ['the printer moved from room 12 to room 20', 'the printer moved to room 20', 'room 12'],
    ['we switched from Jenkins to Drone', 'we switched to Drone', 'Jenkins'],
    ['the landlord is Ms. Cole now, not Mr. Evans', 'the landlord is Ms. Cole now', 'Mr. Evans'],
    ['we use Redis instead of Postgres', 'we use Redis', 'Postgres'],
    ['we replaced Jenkins with Drone', 'we switched to Drone', 'Jenkins'],
    ['wir sind von Jenkins auf Drone umgestiegen', 'wir sind auf Drone umgestiegen', 'Jenkins'],
    ['hemos cambiado de Jenkins a Drone', 'hemos cambiado a Drone', 'Jenkins'],
    ['nous sommes passés de Jenkins à Drone', 'nous sommes passés à Drone', 'Jenkins'],
    ['mudámos de Jenkins para Drone', 'mudámos para Drone', 'Jenkins'],
  ])('reads what "%s" says of before', (said, text, gone) => {
    expect(readChange(said)).toEqual({ text, gone });
  });

  it.each([
    'the train from Rome to Bonn leaves at 8',
    'the port is 9090',
    'releases moved to Friday',
    'the wiki no longer lives at a.example.org, it is at b.example.org',
  ])('finds nothing of before in "%s"', (said) => expect(readChange(said)).toEqual({ text: said }));

  it('reads a long word in no time', () => {
    const said = `we moved from ${'a'.repeat(900)} and ${'b '.repeat(40)}`;
    expect(readChange(said)).toEqual({ text: said });
  });
});
