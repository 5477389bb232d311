import type { Confine } from '../../contracts/confined-program.ts';
import { KernelError } from '../../contracts/error.ts';
import { onAbort, untilAborted } from '../../lib/signals.ts';
import { spawnModelProcess } from '../spawn-model-process.ts';
import {
  type FromChild,
  maxRequestChars,
  type OpenRequest,
  parseFrame,
  readFrames,
  replyFd,
  type ToChild,
  type WorkRequest,
} from './parse-frame.ts';
import { modelFiles } from './parse-model-folder.ts';

export type ProcessOptions = {
  /** its built bundle, or `src/models/onnx/child.ts` */
  childPath: string;
  /** the folder `node_modules` with the library; default: the one that the sources find */
  packages?: readonly string[];
  confine: Confine;
  /** for messages */
  name: string;
  /** a model is read from disk once; beyond this something hangs; default 60 s */
  openTimeoutMs?: number;
  /** ends a process that still loads its model */
  closing?: AbortSignal;
  /** of one request, from the moment it is its turn; default 30 s */
  workTimeoutMs?: number;
};

export type Reply = { message: FromChild; bytes: Uint8Array };

/** A running ONNX process with its model loaded. The caller owns it. */
export type OnnxProcess = AsyncDisposable & {
  readonly dimensions: number;
  /** false once it ended: open another */
  readonly alive: boolean;
  /**
   * Requests wait for each other. A caller that gives up gets `canceled` at once, while the process
   * finishes its work.
   *
   * @throws {KernelError} `unavailable` when the process crashed, hung or refused
   */
  ask(request: WorkRequest, options: { signal: AbortSignal }): Promise<Reply>;
};

const openTimeoutMs = 60_000;
const workTimeoutMs = 30_000;
/**
 * Memory limit of a model: bytes for each byte of its files (quantised weights may become numbers
 * of four bytes), and a base. Its graph could ask for any size.
 */
const bytesEach = 6;
const baseBytes = 2 * 1024 ** 3;
const hint = 'Try again, look at the model with "cuervo doctor", or use memory without it.';

/**
 * Starts the process and loads the model in it.
 *
 * @throws {KernelError} `unavailable` with the process's reason when it cannot
 */
export async function openOnnxProcess(
  open: OpenRequest,
  options: ProcessOptions,
): Promise<OnnxProcess> {
  const { name } = options;
  const waiting = new Map<number, PromiseWithResolvers<Reply>>();
  let ended: KernelError | undefined;

  const end = (error: KernelError): void => {
    ended ??= error;
    child.kill();
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
  };
  const failed = (detail: string, cause?: unknown): KernelError =>
    new KernelError('unavailable', `the model ${name} ${detail}`, { hint, cause });

  const frames = readFrames((json, bytes) => {
    const message = parseFrame(json);
    const request = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.type === 'failed') request?.reject(failed(`failed: ${message.message}`));
    else request?.resolve({ message, bytes });
  });
  const { childPath, packages = [], confine } = options;
  const reads = modelFiles(open.folder, open.file);
  const maxMemoryBytes = baseBytes + bytesEach * reads.bytes;
  const program = { childPath, packages, confine, reads, maxMemoryBytes };
  const child = await spawnModelProcess(program, {
    replyFd,
    onStartFailure: (thrown) => end(failed(`could not be started: ${thrown.message}`, thrown)),
    onEnd: (how) => end(failed(how)),
  });
  child.replies.on('data', (piece: Buffer) => {
    if (ended !== undefined) return;
    try {
      frames(piece);
    } catch (thrown) {
      end(KernelError.from(thrown, 'unavailable'));
    }
  });

  let lastId = 0;
  let before: Promise<unknown> = Promise.resolve();
  const send = (message: ToChild, timeoutMs: number): Promise<Reply> => {
    const line = JSON.stringify(message);
    if (line.length > maxRequestChars) {
      const detail = `texts of ${line.length} characters in one request, limit ${maxRequestChars}`;
      return Promise.reject(new KernelError('internal', detail));
    }
    const reply = Promise.withResolvers<Reply>();
    const turn = before.then(async () => {
      if (ended !== undefined) return reply.reject(ended);
      waiting.set(message.id, reply);
      child.writeLine(line);
      const hung = setTimeout(() => {
        end(failed(`did not answer within ${timeoutMs / 1_000} s and was ended`));
      }, timeoutMs);
      await reply.promise.catch(() => {}).finally(() => clearTimeout(hung));
    });
    before = turn;
    return reply.promise;
  };

  const dispose = async (): Promise<void> => {
    end(failed('is closed'));
    await child.exited;
  };

  const forget = options.closing && onAbort(options.closing, () => end(failed('is closed')));
  try {
    const opening = { id: 0, ...open, folder: child.find(open.folder) };
    const { message } = await send(opening, options.openTimeoutMs ?? openTimeoutMs);
    if (message.type !== 'ready') throw failed('returned an invalid answer');
    return {
      dimensions: message.dimensions,
      get alive() {
        return ended === undefined;
      },
      ask: async (request, { signal }) => {
        if (signal.aborted) throw KernelError.from(signal.reason, 'canceled');
        lastId += 1;
        const reply = send({ id: lastId, ...request }, options.workTimeoutMs ?? workTimeoutMs);
        return await untilAborted(reply, signal);
      },
      [Symbol.asyncDispose]: dispose,
    };
  } catch (thrown) {
    await dispose();
    const error = KernelError.from(thrown, 'unavailable');
    throw new KernelError('unavailable', error.message.replace('failed:', 'could not be loaded:'), {
      hint,
      cause: thrown,
    });
  } finally {
    forget?.();
  }
}
