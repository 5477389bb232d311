import { expect, it } from 'vitest';
import { asks } from './asked-form.ts';

it.each([
  'where is the retry limit set?',
  'Which lamp burns longest',
  'from a plugin, how do I run a program',
  'does it rain',
  'the lamp is out?',
  'find the lamp',
])('asks() takes %j for a question', (text) => expect(asks(text)).toBe(true));

it.each([
  'fix(lamp): keep it lit when the wind blows',
  'Lamp goes out in the wind',
  'add `relight` to lanterns',
  'popcount of a range of bits',
])('asks() takes %j for something that is told', (text) => expect(asks(text)).toBe(false));
