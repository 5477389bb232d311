import { randomUUID } from 'node:crypto';
import { KernelError } from '../contracts/error.ts';
import type { JsonObject } from '../contracts/tool.ts';
import type { Kernel } from '../kernel.ts';
import { onAbort } from '../lib/signals.ts';
import {
  type ClientConsent,
  type Next,
  type OpenCall,
  openCall,
  type Question,
} from './client-consent.ts';
import { compactTools } from './compact-tools.ts';
import { createGuardedTexts } from './guarded-texts.ts';
import type { OfferedTool } from './offered-tools.ts';
import {
  type Caller,
  createServedTools,
  type Progress,
  type Selection,
  type ServedTool,
} from './served-tools.ts';
import {
  type CallResult,
  createCallLimits,
  createKeptResults,
  createTellResult,
  type KeptResults,
} from './tell-result.ts';

export type CallRequest = {
  client: Caller;
  signal: AbortSignal;
  onProgress: Progress;
  /** goes on with a call that waits for this answer */
  answer?: { id: string; given: string | undefined };
};

/** A result, or a question whose answer comes with the same call and this id. */
export type CallOutcome =
  | { type: 'result'; result: CallResult }
  | { type: 'question'; id: string; question: Question };

/** One connection, whatever the protocol: its tools, its calls and what is kept for it. */
export type Serving = {
  tools(): Promise<readonly OfferedTool[]>;
  /** @returns undefined for a tool that is not served */
  call(name: string, input: JsonObject, request: CallRequest): Promise<CallOutcome | undefined>;
  results: Pick<KeptResults, 'list' | 'read'>;
};

/** For an answer through a client; without one the call ends as denied. */
const maxAnswerMs = 5 * 60_000;

type Waiting = {
  name: string;
  call: OpenCall<CallResult>;
  asked: Extract<Next<CallResult>, { type: 'question' }>['asked'];
  live: { onProgress: Progress };
};

export function createServing(options: {
  kernel: Kernel;
  consent: ClientConsent;
  selection: Selection;
  isCompact: boolean;
  nowMs(): number;
}): Serving {
  const { kernel, consent, selection, isCompact, nowMs } = options;
  const { mcp, maxOutputBytes } = kernel.config;
  const guard = kernel.remoteGuard();
  const texts = createGuardedTexts(guard);
  const results = createKeptResults();
  const limits = createCallLimits(mcp, nowMs);
  const tell = createTellResult({ texts, limits, results, maxOutputBytes });
  const readTools = createServedTools({ kernel, consent, guard, texts, tell, selection });
  const waiting = new Map<string, Waiting>();
  let known: { listed: readonly ServedTool[]; byName: Map<string, ServedTool> } | undefined;

  const load = async (): Promise<NonNullable<typeof known>> => {
    const served = await readTools();
    const search = async (goal: string) =>
      (await kernel.searchTools(goal)).map(({ tool }) => tool.name);
    const listed =
      isCompact || served.length > mcp.directTools
        ? compactTools(served, { tell, search })
        : served;
    const byName = new Map([...served, ...listed].map((each) => [each.offered.name, each]));
    known = { listed, byName };
    return known;
  };

  const proceed = async (
    open: Omit<Waiting, 'asked'>,
    signal: AbortSignal,
  ): Promise<CallOutcome> => {
    const forget = onAbort(signal, (reason) => open.call.cancel(reason));
    const next = await open.call.next().finally(forget);
    if (next.type === 'result') return next;
    const id = randomUUID();
    waiting.set(id, { ...open, asked: next.asked });
    void open.call.ended.then(() => waiting.delete(id));
    return { type: 'question', id, question: next.asked };
  };

  return {
    tools: async () => (await load()).listed.map(({ offered }) => offered),
    call: async (name, input, { client, signal, onProgress, answer }) => {
      if (answer !== undefined) {
        const open = waiting.get(answer.id);
        if (open?.name !== name) return { type: 'result', result: tell.error(name, tooLate()) };
        waiting.delete(answer.id);
        open.live.onProgress = onProgress;
        open.asked.answer(answer.given);
        return await proceed(open, signal);
      }
      // A plugin that was installed since is found by its first call.
      const served = (known ?? (await load())).byName.get(name) ?? (await load()).byName.get(name);
      if (served === undefined) return undefined;
      const live = { onProgress };
      const call = openCall<CallResult>(async (of) => {
        try {
          using turn = await limits.enter(of.signal);
          const progress: Progress = (...said) => live.onProgress(...said);
          const ask: typeof of.ask = (question) => turn.pause(() => of.ask(question));
          return await served.body(input, { client, onProgress: progress })({ ...of, ask });
        } catch (thrown) {
          return tell.error(name, thrown);
        }
      }, maxAnswerMs);
      return await proceed({ name, call, live }, signal);
    },
    results,
  };
}

function tooLate(): KernelError {
  return new KernelError(
    'conflict',
    'this answer is for no call that waits: it was answered, or ended',
    {
      hint: 'Call the tool again.',
    },
  );
}
