import { describe, expect, it } from 'vitest';
import { isModelFile } from './open-model.ts';

describe('isModelFile()', () => {
  it.each(['./nosuch', '../m', '/no/such/model', '~/m', '.', 'm.gguf', 'M.GGUF', 'src'])(
    'takes %s for a path',
    (model) => expect(isModelFile(model)).toBe(true),
  );

  it.each(['claude-sonnet-4-5', 'anthropic/claude', 'arn:aws:bedrock:x/y', '.hidden'])(
    'takes %s for a name',
    (model) => expect(isModelFile(model)).toBe(false),
  );
});
