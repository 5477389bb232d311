import { describe, expect, it } from 'vitest';
import { checkOptions } from './kernel-options.ts';

describe('checkOptions()', () => {
  it('takes what the types allow', () => {
    checkOptions({});
    checkOptions({ workspace: '.', allow: ['kv'], dryRun: true, callTimeoutMs: 1.5 });
    checkOptions({ model: undefined, clock: { nowMs: () => 0 }, onWarning: () => {} });
  });

  it.each<[unknown, string]>([
    ['.', 'openKernel() takes an object of options'],
    [null, 'openKernel() takes an object of options'],
    [{ workspce: '.' }, 'openKernel() has no option "workspce"'],
    [{ constructor: 1 }, 'openKernel() has no option "constructor"'],
    [{ workspace: 5 }, 'the option workspace of openKernel() is 5, and takes a string'],
    [{ allow: 'kv' }, 'the option allow of openKernel() is "kv", and takes a list of strings'],
    [{ allow: [1] }, 'is another list, and takes a list of strings'],
    [{ modelRole: 'both' }, 'is "both", and takes "auto", "choose" or "word"'],
    [{ callTimeoutMs: Number.NaN }, 'is NaN, and takes a number of milliseconds above 0'],
    [{ clock: {} }, 'is an object, and takes an object with nowMs()'],
  ])('refuses %j', (options, message) => {
    const thrown = expect.objectContaining({
      code: 'invalid-argument',
      message: expect.stringContaining(message),
      hint: expect.stringContaining('workspace, home, model'),
    });
    expect(() => checkOptions(options)).toThrow(thrown);
  });
});
