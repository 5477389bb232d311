import { randomInt } from 'node:crypto';
import { expect } from 'vitest';
import { openKernel } from '../../src/kernel.ts';
import { buildGuest } from './support/build-guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectFailure, expectSuccess, usePlace } from './support/place.ts';

const place = usePlace({ fill: async (made) => made.install(await buildGuest('mixer')) });

/** The same numbers in another way: with big integers and no step of the guest's own code. */
function expected(key: number, text: string): string {
  const word = (value: bigint): bigint => BigInt.asUintN(32, value);
  let high = word(BigInt(key) ^ 0x5bd1e995n);
  let low = word((BigInt(key) + 0x7f4a7c15n) * 0x2545f491n);
  for (const unit of Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))) {
    high = word((high ^ BigInt(unit)) * 0x01b3_0193n);
    low = word(low + word((high << 13n) | (high >> 19n)));
    high = word(high ^ (low >> 7n));
  }
  return [high, low].map((value) => value.toString(16).padStart(8, '0')).join('');
}

const randomText = () =>
  Array.from({ length: randomInt(1, 200) }, () => String.fromCodePoint(randomInt(32, 0xd7ff))).join(
    '',
  );

escapeCase('an answer that the host made up', {
  denied: [
    'forty random inputs give what only the guest can compute',
    async () => {
      await using kernel = await openKernel({ home: place.home, workspace: place.work });
      for (let round = 0; round < 40; round += 1) {
        const input = { key: randomInt(0, 2 ** 31), text: randomText() };
        const contents: string[] = [];
        for await (const event of kernel.run('mixer.mix', input)) {
          if (event.type === 'result') contents.push(event.content);
        }
        expect(contents).toEqual([JSON.stringify({ mixed: expected(input.key, input.text) })]);
      }
    },
  ],
  control: [
    'so does the command line, and input that is none fails in the guest',
    async () => {
      const input = { key: randomInt(0, 2 ** 31), text: randomText() };
      const ran = await place.run('mixer.mix', input);
      expect(expectSuccess(ran)).toEqual({ mixed: expected(input.key, input.text) });
      const wrong = await place.run('mixer.mix', { key: 'seven', text: '' });
      expectFailure(place, wrong, { code: 'invalid-argument', exit: 2, says: /key/ });
    },
  ],
});
