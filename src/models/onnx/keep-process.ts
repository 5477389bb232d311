import { KernelError } from '../../contracts/error.ts';
import {
  type OnnxProcess,
  openOnnxProcess,
  type ProcessOptions,
  type Reply,
} from './open-onnx-process.ts';
import type { OpenRequest, WorkRequest } from './protocol.ts';

/** One process at a time, started by its first use and again by the next use after it ended. */
export function keepProcess(open: OpenRequest, options: ProcessOptions) {
  let running: Promise<OnnxProcess> | undefined;
  let isClosed = false;
  const live = (): Promise<OnnxProcess> => {
    const previous = running;
    running = (async () => {
      if (isClosed) throw new KernelError('unavailable', `the model ${options.name} is closed`);
      const found = await previous?.catch(() => undefined);
      return found?.alive ? found : await openOnnxProcess(open, options);
    })();
    running.catch(() => {}); // whoever asks gets the error
    return running;
  };
  return {
    live,
    warm: async (): Promise<void> => void (await live()),
    ask: async (request: WorkRequest, { signal }: { signal: AbortSignal }): Promise<Reply> =>
      await (await live()).ask(request, { signal }),
    dispose: async (): Promise<void> => {
      isClosed = true;
      // A process that failed to start has nothing left to close.
      const found = await running?.catch(() => undefined);
      await found?.[Symbol.asyncDispose]();
    },
  };
}
