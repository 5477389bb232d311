import { fileURLToPath } from 'node:url';
import { describe } from 'vitest';
import { openLlama } from '../../src/models/open-llama.ts';
import { findTestModel } from '../fixtures/find-test-model.ts';
import { unconfined as confine } from '../support/unconfined.ts';
import { chatModelContract } from './chat-model.contract.ts';
import { noting } from './support/noting.ts';

const smollm2 = findTestModel('smollm2');
describe.skipIf(smollm2 === undefined)(
  'with a GGUF (skipped where CUERVO_TEST_MODELS has no smollm2)',
  () => {
    const childPath = fileURLToPath(new URL('../../src/models/llama/child.ts', import.meta.url));
    const noScript = 'nobody tells it what to say';
    chatModelContract({
      name: 'llama, SmolLM2-135M',
      hasOwnWords: true,
      open: async () => noting(await openLlama({ path: smollm2 ?? '', childPath, confine })),
      without: {
        ...{ 'bad-input': 'a grammar holds it to the input', errors: 'no server' },
        ...{
          connect: 'no server',
          empty: noScript,
          broken: noScript,
          silence: noScript,
          'retry-after': 'no server',
        },
      },
    });
  },
);
