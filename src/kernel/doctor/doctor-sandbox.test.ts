import { describe, expect, it } from 'vitest';
import { checkPaths, checkUser } from './doctor-system.ts';

describe('checkPaths()', () => {
  it('is right on Linux where /proc is there', () => {
    expect(checkPaths('linux', import.meta.dirname)).toMatchObject({ name: 'paths', status: 'ok' });
    const finding = '/nowhere is missing, so no plugin can read or write a file';
    expect(checkPaths('linux', '/nowhere')).toMatchObject({ status: 'fail', finding });
  });

  it('warns elsewhere that a race is not closed', () => {
    for (const platform of ['darwin', 'win32']) {
      const found = checkPaths(platform);
      expect(found.status).toBe('warn');
      expect(found.finding).toContain(`${platform} cannot look up a name`);
      expect(found.finding).toContain('may miss a program that swaps');
    }
  });
});

describe('checkUser()', () => {
  it('says what root costs, and more of it without a sandbox', () => {
    const native = 'native code of a plugin or a model has no sandbox';
    const inSandbox = checkUser(0, 'os');
    expect(inSandbox).toMatchObject({ name: 'user', status: 'warn', fix: expect.any(String) });
    expect(inSandbox.finding).toContain('only the sandbox keeps it from');
    expect(inSandbox.finding).not.toContain(native);
    expect(checkUser(0, 'process').finding).toContain(native);
  });

  it('is right for everybody else, and where users have no numbers', () => {
    for (const user of [1000, undefined]) {
      expect(checkUser(user, 'process')).toMatchObject({ name: 'user', status: 'ok' });
    }
  });
});
