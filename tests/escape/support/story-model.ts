import { findTestModel } from '../../fixtures/find-test-model.ts';
import type { Need } from './escape-case.ts';

/** A chat model of a megabyte. */
export const storyModel: Need = {
  file: findTestModel('stories260K') ?? 'stories260K.gguf',
  install: 'export CUERVO_TEST_MODELS=DIR',
};
