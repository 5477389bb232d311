import { expect, it } from 'vitest';
import { readsAsStatement } from './reads-as-statement.ts';

it.each([
  'my birthday is on 4 May',
  'we use Drone',
  'Ana moved to Rome',
  'der Server liegt in Bonn',
  "I'm allergic to peanuts",
  'we like long walks',
])('readsAsStatement() of "%s"', (text) => expect(readsAsStatement(text)).toBe(true));

it.each([
  'where is it',
  'is it here',
  'show me what is new',
  'parser errors',
  'who uses it?',
  'I need a list of ports',
])('not readsAsStatement() of "%s"', (text) => expect(readsAsStatement(text)).toBe(false));
