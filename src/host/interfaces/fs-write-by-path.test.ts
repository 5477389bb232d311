import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { wayOn } from '../../paths/open-name.ts';

const real = process.platform;
const pretend = (platform: string) =>
  Object.defineProperty(process, 'platform', { value: platform });

// The same tests once more, as it is where a system reaches no name below an open directory. A file
// of tests is a module: it runs again only where modules are made anew.
vi.resetModules();
describe('by path', async () => {
  beforeAll(() => void pretend('darwin'));
  afterAll(() => {
    pretend(real);
    vi.resetModules();
  });

  it('is how names are reached here', () => expect(wayOn(process.platform)).toBe('path'));

  await import('./fs-write.test.ts');
});
