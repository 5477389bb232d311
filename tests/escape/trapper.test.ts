import { expect } from 'vitest';
import { openKernel } from '../../src/kernel.ts';
import { adder, trapper } from './guests/trapper/guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectFailure, expectSuccess, installAndGo, usePlace } from './support/place.ts';

const rounds = 200_000_000;

const place = usePlace({
  fill: async (made) => {
    await made.install(await trapper());
    await made.install(await adder(rounds));
  },
});

function sum(count: number): number {
  let value = 0;
  for (let index = 0; index < count; index += 1) value = (value * 31 + index) % 1_000_003;
  return value;
}

escapeCase('trap beside another guest', {
  denied: [
    [
      'the guest that traps ends with exit 6',
      async () => {
        const before = place.state();
        const ran = await place.run('trapper.go', {});
        expectFailure(place, ran, { code: 'plugin-fault', exit: 6, says: /trapped.*unreachable/ });
        expect(place.state()).toBe(before);
      },
    ],
    [
      'in the same kernel, while another one computes, it takes nobody along',
      async () => {
        await using kernel = await openKernel({ home: place.home, workspace: place.work });
        const order: string[] = [];
        const outcome = async (tool: string): Promise<unknown> => {
          let result: unknown;
          for await (const event of kernel.run(tool, {})) {
            if (event.type === 'result') result = event.content;
            if (event.type === 'error') result = event.code;
          }
          order.push(tool);
          return result;
        };
        const trapping = async (): Promise<unknown[]> => {
          const results = [];
          for (let index = 0; index < 5; index += 1) results.push(await outcome('trapper.go'));
          return results;
        };
        const [added, trapped] = await Promise.all([outcome('adder.go'), trapping()]);
        // Behind the third one in a row it is called no more.
        expect(trapped).toEqual([...Array(3).fill('plugin-fault'), 'unavailable', 'unavailable']);
        expect(added).toBe(String(sum(rounds)));
        // They did run side by side: a trap came back before the sum did.
        expect(order[0]).toBe('trapper.go');
      },
    ],
  ],
  control: [
    'by itself the other guest gives the same sum',
    async () => {
      const ran = await installAndGo(place, await adder(1000), 'adder');
      expect(expectSuccess(ran)).toBe(sum(1000));
    },
  ],
});
