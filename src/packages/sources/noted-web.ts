import { KernelError } from '../../contracts/error.ts';
import type { JournalBody } from '../../contracts/journal.ts';
import type { WebClient } from './web-client.ts';

/** Writes down a request that the kernel sent, once it is known what became of it. */
export type NoteRequest = (request: JournalBody<'network'>) => Promise<void>;

/** A client whose requests are written down. */
export function notedWeb(web: WebClient, note: NoteRequest): WebClient {
  return {
    send: async (request) => {
      const { url, what, method = 'GET' } = request;
      const startedMs = performance.now();
      const noted = async (outcome: string, bytes: number): Promise<void> => {
        const durationMs = Math.round(performance.now() - startedMs);
        await note({ method, origin: url.origin, what, outcome, bytes, durationMs });
      };
      try {
        const answer = await web.send(request);
        await noted(`${answer.status}`, answer.body.byteLength);
        return answer;
      } catch (thrown) {
        await noted(KernelError.from(thrown, 'internal').code, 0);
        throw thrown;
      }
    },
  };
}
