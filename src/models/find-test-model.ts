import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** Models that tests know, below the folder of test models. */
const files = {
  stories260K: 'stories260K/stories260K.gguf',
  smollm2: 'smollm2-135m-instruct/SmolLM2-135M-Instruct.Q4_1.gguf',
} as const;

/**
 * Path of a test model, or undefined where it is not there: its tests are then skipped by name.
 * The folder is `CUERVO_TEST_MODELS`, by default `../shared/models` beside the repository. For
 * tests only.
 */
export function findTestModel(name: keyof typeof files): string | undefined {
  // biome-ignore lint/style/noProcessEnv: tests have no configuration to be handed
  const folder = process.env.CUERVO_TEST_MODELS ?? resolve('..', 'shared', 'models');
  const path = resolve(folder, files[name]);
  return existsSync(path) ? path : undefined;
}
