import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wayOn } from '../paths/open-name.ts';

const real = process.platform;
const pretend = (platform: string) =>
  Object.defineProperty(process, 'platform', { value: platform });

// The same tests once more, as it is where a system reaches no name below an open directory.
describe('by path', async () => {
  beforeAll(() => void pretend('darwin'));
  afterAll(() => void pretend(real));

  it('is how names are reached here', () => expect(wayOn(process.platform)).toBe('path'));

  await import('./fs-write.test.ts');
});
