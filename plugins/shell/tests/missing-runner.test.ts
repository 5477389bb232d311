import { expect, it } from 'vitest';
import { missingRunner } from './missing-runner.ts';

it.each([
  ['/usr/bin/python3: No module named pytest\n', '.venv/bin/pip install pytest'],
  ['> calc@1.0.0 test\n> vitest run\n\nsh: 1: vitest: not found\n', 'vitest is not installed'],
  ['sh: line 1: jest: command not found', 'e.g. npm ci'],
])('missingRunner() of %j', (printed, says) => {
  expect(missingRunner(printed)).toContain(says);
});

it.each(['E   ModuleNotFoundError: No module named calc', 'file a.txt: not found', ''])(
  'missingRunner() says nothing of %j',
  (printed) => expect(missingRunner(printed)).toBeUndefined(),
);
