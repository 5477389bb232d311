import { expect, it } from 'vitest';
import type { ConsentRequest } from '../../contracts/consent.ts';
import { askingIn, type Mode, nextMode } from './modes.ts';

const signal = new AbortController().signal;
const base = {
  ...{ plugin: 'file', digest: 'd', builtin: true, grant: 'fs-write:work' },
  ...{ project: '/work', inSession: true, tier: '' },
};
const change = { kind: 'write', path: 'work:a', after: new Uint8Array() } as const;
const edit: ConsentRequest = { ...base, effect: { capability: 'fs-write', change } };
const program: ConsentRequest = {
  ...base,
  effect: { capability: 'exec', program: 'npm', args: [], cwd: 'work:' },
};

/** The answer in a mode, and whether a person was asked. */
async function answer(mode: Mode, request: ConsentRequest): Promise<[string, boolean]> {
  let isAsked = false;
  const ask = askingIn(
    () => mode,
    async () => {
      isAsked = true;
      return { answer: 'session' };
    },
  );
  return [(await ask(request, { signal })).answer, isAsked];
}

it('askingIn() answers for plain edits in the mode for edits, and for nothing else', async () => {
  expect(await answer('ask', edit)).toEqual(['session', true]);
  expect(await answer('edits', edit)).toEqual(['once', false]);
  const asked: ConsentRequest[] = [
    program,
    { ...edit, builtin: false },
    { ...edit, afterReading: 'https://example.org' },
    { ...edit, effect: { capability: 'fs-write', change, runBy: 'git' } },
    { ...edit, effect: { capability: 'fs-write', change: { ...change, readOnly: '0444' } } },
    { ...edit, effect: { capability: 'fs-write', change: { kind: 'remove', path: 'work:a' } } },
    { ...edit, covers: [edit, program].map(({ effect }) => ({ step: 's', effect })) },
  ];
  for (const request of asked) expect(await answer('edits', request)).toEqual(['session', true]);
});

it('askingIn() says no to all in the mode for plans', async () => {
  expect(await answer('plan', edit)).toEqual(['no', false]);
  expect(await answer('plan', program)).toEqual(['no', false]);
});

it('nextMode() goes round', () => {
  expect(nextMode(nextMode(nextMode('ask')))).toBe('ask');
});
