import { userInfo } from 'node:os';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { homeFolder } from './home-folder.ts';

afterEach(() => vi.unstubAllEnvs());

describe('homeFolder()', () => {
  it('is HOME, and that of the user where it is empty', () => {
    vi.stubEnv('HOME', '/somewhere');
    expect(homeFolder()).toBe('/somewhere');
    vi.stubEnv('HOME', '');
    expect(homeFolder()).toBe(userInfo().homedir);
  });
});
