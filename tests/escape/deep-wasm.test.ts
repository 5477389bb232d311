import { expect } from 'vitest';
import { deepWasm } from './guests/deep-wasm/guest.ts';
import { escapeCase } from './support/escape-case.ts';
import { expectFailure, expectSuccess, installAndGo, usePlace } from './support/place.ts';

const place = usePlace({});
const go = (file: string) => installAndGo(place, file, 'deep-wasm');

escapeCase('recursion in WebAssembly', {
  denied: [
    'a function that calls itself for ever traps with exit 6',
    async () => {
      const ran = await go(await deepWasm(undefined));
      expectFailure(place, ran, { code: 'plugin-fault', exit: 6, says: /call stack/ });
    },
  ],
  control: [
    'two thousand levels come back',
    async () => expect(expectSuccess(await go(await deepWasm(2000)))).toBe(2000),
  ],
});
