import { expect, it } from 'vitest';
import { findMessages } from './find-messages.ts';

it.each([
  ['why does it say "the lamp is out" of a lantern', ['the lamp is out']],
  ['what does `lamp out` do, and "lamp"?', ['lamp out']],
  [
    'error: there was no lamp "red.lamp"; there is red.lantern, blue.lantern',
    ['there was no lamp'],
  ],
  ['error: the lamps have more than 512 watts; light fewer', ['the lamps have more than']],
  ["LampError: can't light it; what now", ["can't light it"]],
  ['where are errors of lamps handled?', []],
  ['does v4.6.0 need lamps of 2.1?', ['4.6.0', '2.1']],
  ['what of 1.2.x, a1.2 and 3?', []],
  ['I get the error no lamp in here, what does it mean?', ['no lamp in here']],
  ['it fails with error lamp out', []],
  ['I get "lamp" is not a known light', ['is not a known']],
  [`"${'a lamp '.repeat(11)}bb😀 c"`, [`${'a lamp '.repeat(11)}bb`]],
  [`error: no lamp at all ${','.repeat(7900)}x`, ['no lamp at all']],
])('findMessages(%j) is %j', (question, messages) => {
  expect(findMessages(question)).toEqual(messages);
});
