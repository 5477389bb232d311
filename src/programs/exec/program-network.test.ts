import { expect, it } from 'vitest';
import { tellUnreached } from './open-program-proxy.ts';

const run = {
  ...{ program: 'fetch', origins: [], readOnly: false },
  caller: { plugin: 'shell', note: () => {} },
};
function told(done: { exitCode?: number; stderr: string; stdout: string }): string[] {
  const warnings: string[] = [];
  const warn = (text: string): void => void warnings.push(text);
  tellUnreached(run, done, { warn, resolve: async () => [] });
  return warnings;
}

it('tellUnreached() names the grant of a program that found no network, and no host that it printed', () => {
  const stderr = 'curl: (6) Could not resolve host: evil.example';
  expect(told({ exitCode: 6, stderr, stdout: '' })).toEqual([
    'program "fetch" has no network; cuervo plugin grant shell http:https://HOST lets it',
  ]);
  expect(told({ exitCode: 0, stderr, stdout: '' })).toEqual([]);
  // What it printed may be the words of a file.
  expect(told({ exitCode: 1, stderr: '', stdout: stderr })).toEqual([]);
});
