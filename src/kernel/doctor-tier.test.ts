import { describe, expect, it } from 'vitest';
import { checkPaths } from './doctor-tier.ts';

describe('checkPaths()', () => {
  it('is right on Linux where /proc is there', () => {
    expect(checkPaths('linux', import.meta.dirname)).toMatchObject({ name: 'paths', status: 'ok' });
    const finding = '/nowhere is not there, so no plugin reads or writes a file';
    expect(checkPaths('linux', '/nowhere')).toMatchObject({ status: 'fail', finding });
  });

  it('warns elsewhere that a race is not closed', () => {
    for (const platform of ['darwin', 'win32']) {
      const found = checkPaths(platform);
      expect(found.status).toBe('warn');
      expect(found.finding).toContain(`${platform} looks no name up`);
      expect(found.finding).toContain('may go unnoticed');
    }
  });
});
