import { expect, it } from 'vitest';
import { tells } from './told-form.ts';

it.each([
  'where is the retry limit set?',
  'Which lamp burns longest',
  'from a plugin, how do I run a program',
  'the lamp should burn?',
  'find the lamp',
  'popcount of a range of bits',
  'LampError: cannot light it instead of him',
  'biggest lamp of the harbour',
])('tells() takes %j for no tale', (text) => expect(tells(text)).toBe(false));

it.each([
  'fix(lamp): keep it lit when the wind blows',
  'Lamp goes out instead of burning',
  'added `relight` to lanterns',
  '[wick] noqa for the lamp',
  'Do not burn two wicks',
  'the lamp should burn all night',
])('tells() takes %j for a tale', (text) => expect(tells(text)).toBe(true));
