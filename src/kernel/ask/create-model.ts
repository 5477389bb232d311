import { KernelError } from '../../contracts/error.ts';
import type { ChatModel } from '../../contracts/model.ts';
import { once } from '../../lib/once.ts';
import type { ModelScore, TestProgress } from '../../models/test-model.ts';
import type { KernelCore } from '../core.ts';
import { openModel, scoreKey } from './open-model.ts';

/** The model that the configuration names, opened by its first use. */
export type KernelModel = {
  /** undefined: none is named */
  open(): Promise<ChatModel | undefined>;
  /** Tests the model and keeps its score for `ask`. @throws {KernelError} when there is none */
  test(options: {
    signal: AbortSignal;
    onProgress?: (progress: TestProgress) => void;
  }): Promise<ModelScore>;
};

export function createModel(
  core: Pick<KernelCore, 'config' | 'own' | 'runs' | 'sandbox' | 'store'>,
): KernelModel {
  const { runs } = core;
  const { confine } = core.sandbox;
  const open = once(() =>
    runs.finish(async (): Promise<ChatModel | undefined> => {
      const found = await openModel(core.config, { confine, signal: runs.closing });
      return found === undefined ? undefined : core.own(found);
    }),
  );
  return {
    open,
    test: async ({ signal, onProgress = () => {} }) => {
      const tested = await open();
      if (tested === undefined) {
        throw new KernelError('invalid-argument', 'there is no model to test', {
          hint: 'Name one: cuervo model test PATH.gguf',
        });
      }
      const { testModel } = await import('../../models/test-model.ts');
      const score = await testModel(tested, { signal, onProgress });
      (await core.store()).setSetting(scoreKey(await tested.digest()), { ...score });
      return score;
    },
  };
}
