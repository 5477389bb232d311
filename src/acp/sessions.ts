import { isAbsolute } from 'node:path';
import type { PromptResponse } from '@agentclientprotocol/sdk';
import { KernelError } from '../contracts/error.ts';
import type { Kernel } from '../kernel.ts';
import { onAbort } from '../lib/signals.ts';
import { escapeLine } from '../lib/text/escape.ts';
import type { Mode } from './modes.ts';

/** Sessions that are open at the same time. */
const maxSessions = 16;

export type Session = {
  readonly id: string;
  readonly kernel: Kernel;
  mode: Mode;
  /** ends the message that is answered now; undefined while there is none */
  prompt: AbortController | undefined;
};

/** The sessions of one connection. Disposing them ends what they do. The caller owns it. */
export type Sessions = AsyncDisposable & {
  /** @throws {KernelError} for a folder that cannot be worked on, or too many of them */
  open(cwd: string, id: (kernel: Kernel) => Promise<string>): Promise<Session>;
  /** @throws {KernelError} `not-found` */
  get(id: string): Session;
  close(id: string): Promise<void>;
  /** Ends what the session does now; nothing where it does nothing. */
  cancel(id: string): void;
  /**
   * Answers one message of a session.
   *
   * @throws {KernelError} `conflict` while another one is answered
   */
  prompting(
    session: Session,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<PromptResponse>,
  ): Promise<PromptResponse>;
};

/** @param openKernel for one folder; sessions in it share it */
export function createSessions(openKernel: (workspace: string) => Promise<Kernel>): Sessions {
  const sessions = new Map<string, Session>();
  const kernels = new Map<string, { kernel: Promise<Kernel>; users: number }>();
  let opening = 0;

  const borrow = async (cwd: string): Promise<Kernel> => {
    const held = kernels.get(cwd) ?? { kernel: openKernel(cwd), users: 0 };
    kernels.set(cwd, held);
    held.users += 1;
    try {
      return await held.kernel;
    } catch (thrown) {
      kernels.delete(cwd);
      throw thrown;
    }
  };

  const giveBack = async (kernel: Kernel): Promise<void> => {
    for (const [cwd, held] of kernels) {
      if ((await held.kernel) !== kernel) continue;
      held.users -= 1;
      if (held.users > 0) return;
      kernels.delete(cwd);
      await kernel[Symbol.asyncDispose]();
      return;
    }
  };

  const close = async (id: string): Promise<void> => {
    const session = sessions.get(id);
    if (session === undefined) return;
    sessions.delete(id);
    session.prompt?.abort(new KernelError('canceled', 'the session was closed'));
    await giveBack(session.kernel);
  };

  return {
    open: async (cwd, idOf) => {
      if (!isAbsolute(cwd)) {
        const detail = `the folder of a session is an absolute path, and not ${escapeLine(cwd).slice(0, 200)}`;
        throw new KernelError('invalid-argument', detail);
      }
      if (sessions.size + opening >= maxSessions) {
        throw new KernelError('resource-exhausted', `${maxSessions} sessions are open, the limit`, {
          hint: 'Close one of them first.',
        });
      }
      opening += 1;
      try {
        const kernel = await borrow(cwd);
        try {
          const id = await idOf(kernel);
          if (sessions.has(id)) await close(id);
          const session: Session = { id, kernel, mode: 'ask', prompt: undefined };
          sessions.set(id, session);
          return session;
        } catch (thrown) {
          await giveBack(kernel);
          throw thrown;
        }
      } finally {
        opening -= 1;
      }
    },
    get: (id) => {
      const session = sessions.get(id);
      if (session !== undefined) return session;
      const detail = `no session ${escapeLine(id).slice(0, 80)} is open`;
      throw new KernelError('not-found', detail, { hint: 'Open it with session/load.' });
    },
    close,
    cancel: (id) =>
      sessions.get(id)?.prompt?.abort(new KernelError('canceled', 'the client canceled it')),
    prompting: async (session, signal, work) => {
      if (session.prompt !== undefined) {
        throw new KernelError('conflict', 'a message of this session is still being answered', {
          hint: 'Wait for its answer, or cancel it with session/cancel.',
        });
      }
      const controller = new AbortController();
      session.prompt = controller;
      const forget = onAbort(signal, (reason) => controller.abort(reason));
      try {
        return await work(controller.signal);
      } catch (thrown) {
        if (controller.signal.aborted) return { stopReason: 'cancelled' };
        throw thrown;
      } finally {
        forget();
        session.prompt = undefined;
      }
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...sessions.keys()].map(close));
    },
  };
}
