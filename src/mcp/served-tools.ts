import { matchesGlob } from 'node:path';
import { KernelError } from '../contracts/error.ts';
import type { RunEvent } from '../contracts/events.ts';
import type { NestedCalls } from '../contracts/plan.ts';
import { type Effect, isReading, type JsonObject, type Tool } from '../contracts/tool.ts';
import type { Kernel, RemoteGuard, RunClient } from '../kernel.ts';
import type { CallBody, ClientConsent, Question } from './client-consent.ts';
import type { GuardedTexts } from './guarded-texts.ts';
import { clientName, type OfferedTool, offerTools } from './offered-tools.ts';
import { type OwnTool, ownTools } from './own-tools.ts';
import type { CallResult, TellResult } from './tell-result.ts';

export type Caller = RunClient & {
  /** it can show a question to a person */
  canAsk: boolean;
};

export type Progress = (label: string, done: number, total: number | undefined) => void;

/** A tool that can be called over this connection. */
export type ServedTool = {
  offered: OfferedTool;
  body(input: JsonObject, of: { client: Caller; onProgress: Progress }): CallBody<CallResult>;
};

/** Which tools a connection has. */
export type Selection = {
  /** globs of names, `PLUGIN.TOOL` or as clients see them; undefined means all */
  only?: readonly string[] | undefined;
  isReadOnly?: boolean | undefined;
};

/** Ids of runs that a connection may list and undo; older ones are a person's alone. */
const maxRuns = 10_000;

export function createServedTools(ports: {
  kernel: Kernel;
  consent: ClientConsent;
  guard: RemoteGuard;
  texts: GuardedTexts;
  tell: TellResult;
  selection: Selection;
}): () => Promise<ServedTool[]> {
  const { kernel, consent, guard, texts, tell } = ports;
  const { only, isReadOnly = false } = ports.selection;
  const { answers } = kernel.config.mcp;
  const runs: string[] = [];
  /** the first tool whose words the client has read */
  let read: string | undefined;

  const follow = async (
    events: AsyncGenerator<RunEvent, void, undefined>,
    asker: Parameters<ClientConsent['bind']>[1],
  ): Promise<RunEvent> => {
    let found: RunEvent | undefined;
    let run: string | undefined;
    try {
      for await (const event of events) {
        if (run === undefined && event.run !== undefined) {
          run = event.run;
          runs.push(run);
          if (runs.length > maxRuns) runs.shift();
          consent.bind(run, asker);
        }
        if (event.type === 'result' || event.type === 'answer') found = event;
        if (event.type === 'error')
          throw new KernelError(event.code, event.message, { hint: event.hint });
      }
    } finally {
      if (run !== undefined) consent.release(run);
    }
    if (found === undefined) throw new KernelError('internal', 'the run ended without a result');
    return found;
  };

  const askerOf = (client: Caller, ask: (question: Question) => Promise<string | undefined>) => ({
    client: client.name,
    answers: client.canAsk ? (answers[client.name] ?? 'none') : ('none' as const),
    ask: (question: Question) => ask({ ...question, text: texts.text('cuervo', question.text) }),
  });

  /** Calls of a script are the client's, as those that it makes itself. */
  const admit: NestedCalls['admit'] = (calls) =>
    calls.map((call) => {
      if (!isServed(call.tool, call.effect)) throw notServed(call.tool);
      const leavesMachine = call.effect === 'external';
      const checked = guard.call({ name: call.tool, input: call.input }, { leavesMachine });
      if ('refusal' in checked) throw refused(checked.refusal);
      return { ...call, input: checked.input };
    });

  const ofPlugin = (offered: OfferedTool, tool: Tool): ServedTool => ({
    offered,
    body:
      (given, { client, onProgress }) =>
      async ({ signal, ask }) => {
        const leavesMachine = tool.effect === 'external';
        const checked = guard.call({ name: tool.name, input: given }, { leavesMachine });
        if ('refusal' in checked) throw refused(checked.refusal);
        const paths: string[] = [];
        // Its progress may show what it read, before the result is looked at.
        await guard.know([], { signal });
        const events = kernel.run(tool.name, checked.input, {
          ...{ signal, client, admit, isWhole: true },
          ...(read === undefined ? {} : { afterReading: `what ${read} gave` }),
          onToolEvent: (_, event) => {
            if (event.type === 'host-call') paths.push(event.call.target.replace(/^work:/, ''));
            if (event.type !== 'progress') return;
            onProgress(texts.text(tool.name, event.label), event.done, event.total);
          },
        });
        try {
          const event = await follow(events, askerOf(client, ask));
          const content = event.type === 'result' ? event.content : '';
          const notRead = event.type === 'result' ? event.notRead : undefined;
          const isStructured = offered.outputSchema !== undefined;
          return await tell.result(tool.name, content, { paths, isStructured, notRead, signal });
        } finally {
          read ??= tool.name;
        }
      },
  });

  const ofCuervo = ({ offered, call }: OwnTool): ServedTool => ({
    offered,
    body:
      (given, { client }) =>
      async ({ signal, ask }) => {
        const checked = guard.call({ name: offered.name, input: given }, { leavesMachine: false });
        if ('refusal' in checked) throw refused(checked.refusal);
        const asker = askerOf(client, ask);
        const askYesNo = async (text: string): Promise<boolean> =>
          (await asker.ask({ text, answers: ['yes', 'no'] })) === 'yes';
        const value = await call(checked.input, {
          ...{ kernel, client, signal, runs },
          askYesNo: asker.answers === 'none' ? undefined : askYesNo,
          follow: (events) => follow(events, asker),
        });
        const content = JSON.stringify(value);
        return await tell.result(offered.name, content, { paths: [], isStructured: false, signal });
      },
  });

  const isWanted = (...names: string[]): boolean =>
    only === undefined || only.some((glob) => names.some((name) => matchesGlob(name, glob)));

  const isServed = (tool: string, effect: Effect): boolean =>
    isWanted(tool, clientName(tool)) && (!isReadOnly || isReading(effect));

  return async () => {
    const own = ownTools.filter(({ offered }) => isWanted(offered.name));
    const labels = new Map(kernel.plugins.list().map((each) => [each.name, each.capabilities]));
    // A server of others is not served on by accident.
    const tools = (await kernel.tools()).filter(
      ({ name, plugin }) => isWanted(name) && (only !== undefined || labels.has(plugin)),
    );
    const offered = offerTools(
      tools,
      (plugin) => labels.get(plugin) ?? [],
      own.map((each) => each.offered),
    );
    const served = [
      ...own.map(ofCuervo),
      ...offered.map((each) => ofPlugin(each.offered, each.tool)),
    ];
    return served
      .filter((each) => !isReadOnly || each.offered.annotations.readOnlyHint)
      .toSorted((one, other) => (one.offered.name < other.offered.name ? -1 : 1));
  };
}

function notServed(tool: string): KernelError {
  return new KernelError('permission-denied', `${tool} is not served over this connection`, {
    hint: 'a person chooses what is: cuervo mcp serve --tools NAME',
  });
}

function refused(why: string): KernelError {
  return new KernelError('permission-denied', why, {
    hint: 'nobody sends it elsewhere; call the tool with other words.',
  });
}
