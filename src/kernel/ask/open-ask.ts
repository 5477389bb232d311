import { requireAnsweringMounts } from '../../lib/files/answering-mounts.ts';
import { once } from '../../lib/memo.ts';
import type { KernelCore } from '../core.ts';
import type { KernelAsk } from './create-ask.ts';
import type { AskParts } from './open-question.ts';

/**
 * Loads the code for questions with the first question: its hundreds of expressions take longer to
 * load than everything else in a command that asks nothing.
 */
export function openAsk(core: KernelCore, parts: AskParts): KernelAsk {
  const load = once(async () => (await import('./create-ask.ts')).createAsk(core, parts));
  // Nearly every question searches, so the search process starts while this code is loaded.
  const warm = async (): Promise<void> => {
    await requireAnsweringMounts(core.config.workspace);
    parts.plugins.host().warm('search');
  };
  return {
    ask: (question, { signal, ...options } = {}) =>
      core.runs.start(signal, async function* (ending) {
        // Ignored: the run itself reports a fault of the folder or the plugins.
        if (question.trim() !== '') warm().catch(() => {});
        yield* (await load()).run('ask', question, options, ending);
      }),
    compact: (session, { signal } = {}) =>
      core.runs.start(signal, async function* (ending) {
        yield* (await load()).run('compact', '', { session }, ending);
      }),
    remember: (remember, { signal } = {}) =>
      core.runs.start(signal, async function* (ending) {
        const options = { remember, client: remember.client };
        yield* (await load()).run('remember', 'memory.remember', options, ending);
      }),
    plan: async (question) => await (await load()).plan(question),
    planReasons: async (question) => await (await load()).planReasons(question),
    searchTools: async (goal) => await (await load()).searchTools(goal),
  };
}
