import { describe, expect, it } from 'vitest';
import { codeText } from './texts.ts';

describe('codeText()', () => {
  it('has path, names and comments in front of all of it, as words', () => {
    const text = '// how often it is tried\nexport function maxRetries(a) {\n  return 5;\n}';
    expect(codeText(text, 'src/uploadQueue.ts')).toBe(
      'src upload Queue max Retries how often it is tried how often it is tried export function max Retries a return 5',
    );
  });

  it('knows methods, and comments of other languages', () => {
    const text = 'class Queue:\n    # waits longer each time\n    async push(item) {\n';
    expect(codeText(text, 'q.py')).toMatch(/^q Queue push waits longer each time class Queue/);
  });
});
