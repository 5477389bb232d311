import { expect, it } from 'vitest';
import { toolPath, workspacePath } from './tool-path.ts';

it.each([
  ['src/a.ts', 'src/a.ts'],
  ['src/d:x/a.ts', 'src/d:x/a.ts'],
  ['d:x/a.ts', 'work:d:x/a.ts'],
  ['note: a.md', 'work:note: a.md'],
])('toolPath() of "%s" is "%s", and workspacePath() is the way back', (path, forTools) => {
  expect(toolPath(path)).toBe(forTools);
  expect(workspacePath(forTools)).toBe(path);
});
