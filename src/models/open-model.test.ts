import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../config/load-config.ts';
import { checkModel } from '../kernel/doctor/doctor-recall.ts';
import { modelPath } from '../kernel/memory/memory-model-path.ts';
import { createProcessSandbox } from '../sandbox/process-sandbox.ts';
import { isModelFile, openModel } from './model-providers.ts';

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

it('a path of a setting may begin with ~/, in every key that names a model', async () => {
  const model = '~/cuervo-no-such-model.gguf';
  const path = join(homedir(), 'cuervo-no-such-model.gguf');
  expect(modelPath({ home: '/state' }, model)).toBe(path);
  const config = { ...loadConfig({ home: '/state' }, {}), model };
  expect(checkModel(config).finding).toContain(path);
  const { confine } = createProcessSandbox('none');
  const { signal } = new AbortController();
  await expect(openModel(model, config, { confine, signal })).rejects.toMatchObject({
    code: 'not-found',
    message: expect.stringContaining(path),
  });
});
