import { userInfo } from 'node:os';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { homeFolder, toolPath, workspacePath } from './paths.ts';

afterEach(() => vi.unstubAllEnvs());

/** As Node does for a uid without an entry. */
const unknownUser = (): never => {
  throw new Error('A system error occurred: uv_os_get_passwd returned ENOENT');
};

describe('homeFolder()', () => {
  it('is HOME, and that of the user where it is empty', () => {
    vi.stubEnv('HOME', '/somewhere');
    expect(homeFolder()).toBe('/somewhere');
    vi.stubEnv('HOME', '');
    expect(homeFolder()).toBe(userInfo().homedir);
  });

  it.each([
    ['is not set', unknownUser],
    ['is empty', () => ''],
  ])('is none for a user whom the system does not know where HOME %s', (_, homedir) => {
    expect(homeFolder({ homedir, userInfo: unknownUser })).toBe('');
  });
});

it.each([
  ['src/a.ts', 'src/a.ts'],
  ['src/d:x/a.ts', 'src/d:x/a.ts'],
  ['d:x/a.ts', 'work:d:x/a.ts'],
  ['note: a.md', 'work:note: a.md'],
])('toolPath() of "%s" is "%s", and workspacePath() is the way back', (path, forTools) => {
  expect(toolPath(path)).toBe(forTools);
  expect(workspacePath(forTools)).toBe(path);
});
