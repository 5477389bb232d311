import { randomUUID } from 'node:crypto';
import {
  type AgentContext,
  type ContentBlock,
  type PromptResponse,
  type ReadTextFileResponse,
  RequestError,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import type { ClientAnswers } from '../contracts/config.ts';
import { KernelError } from '../contracts/error.ts';
import type { EventOf, RunEvent } from '../contracts/events.ts';
import {
  findSkill,
  listSkills,
  skillQuestion,
  withoutModel,
} from '../kernel/skills/skill-commands.ts';
import type { RunClient } from '../kernel.ts';
import { didYouMean } from '../lib/text/did-you-mean.ts';
import type { ClientConsent } from '../mcp/client-consent.ts';
import { askPermission } from './ask-permission.ts';
import type { Mode } from './modes.ts';
import { readPrompt } from './read-prompt.ts';
import type { Session } from './sessions.ts';
import { createRunTeller } from './tell-run.ts';
import { toRequestError } from './to-request-error.ts';
import type { View } from './tool-calls.ts';

/** For the client's text of a file. */
const bufferMs = 5_000;

export type PromptPorts = {
  client: AgentContext;
  clientName: string;
  /** how far an answer through this client goes */
  answers: ClientAnswers;
  /** the client gives the text of its buffers */
  hasBuffers: boolean;
  consent: Pick<ClientConsent, 'bind' | 'release'>;
  /** Learns the mode in which a run asks. */
  setMode(run: string, mode: (() => Mode) | undefined): void;
  view: View;
  send(update: SessionUpdate): Promise<void>;
  signal: AbortSignal;
};

/** Answers one message of a session, and tells what is done for it. */
export async function answerPrompt(
  session: Session,
  blocks: readonly ContentBlock[],
  ports: PromptPorts,
): Promise<PromptResponse> {
  const { kernel } = session;
  const { client, clientName, consent, view, send, signal } = ports;
  const buffer = async (path: string): Promise<string | undefined> => {
    if (!ports.hasBuffers) return undefined;
    const how = {
      cancellationSignal: AbortSignal.any([signal, AbortSignal.timeout(bufferMs)]),
      stopWaitingOnCancel: true,
    };
    try {
      const read = { sessionId: session.id, path };
      const file: ReadTextFileResponse = await client.request('fs/read_text_file', read, how);
      return file.content;
    } catch {
      // The file as it is saved counts then.
      return undefined;
    }
  };
  const read = await readPrompt(blocks, {
    kernel,
    client: runFor(clientName),
    buffer,
    shows: view.shows,
    signal,
  });
  const start = await startOf(session, read, { signal, clientName });
  const teller = createRunTeller({ kernel, view, send });
  const asker: Parameters<ClientConsent['bind']>[1] = {
    client: `${clientName} ${session.id}`,
    answers: ports.answers,
    ask: async ({ text, answers }, request) =>
      await askPermission(client, {
        session: session.id,
        call: teller.callOf(request.tool) ?? randomUUID(),
        ...{ text, answers, request, view, signal },
      }),
  };
  let run: string | undefined;
  let failure: EventOf<'error'> | undefined;
  let stop: EventOf<'answer'>['stop'];
  try {
    for await (const event of start()) {
      if (run === undefined && event.run !== undefined) {
        run = event.run;
        consent.bind(run, asker);
        ports.setMode(run, () => session.mode);
      }
      if (event.type === 'answer') stop = event.stop;
      if (event.type === 'error') failure = event;
      await teller.tell(event);
    }
    await teller.end();
    // The model has answered; that changes were denied is no failure of the message.
    if (stop !== undefined && failure?.code === 'permission-denied') {
      await teller.say(`\n\n${failure.message}. ${failure.hint}`);
      failure = undefined;
    }
  } finally {
    if (run !== undefined) {
      consent.release(run);
      ports.setMode(run, undefined);
    }
  }
  return ended({ run, failure, stop, shown: view.shown, isCanceled: signal.aborted });
}

/** Whom a run is made for, as the journal names them. */
function runFor(name: string): RunClient {
  return { name, protocol: 'acp' };
}

/** The run that a message asks for: a recipe that it names, or a question. */
async function startOf(
  session: Session,
  { question, attached, images }: Awaited<ReturnType<typeof readPrompt>>,
  { signal, clientName }: { signal: AbortSignal; clientName: string },
): Promise<() => AsyncGenerator<RunEvent, void, undefined>> {
  const { kernel, mode, id } = session;
  const client = runFor(clientName);
  const common = {
    ...{ signal, client, session: id, startsSession: true, isChat: true },
    ...(attached.length === 0 ? {} : { attached }),
    ...(images.length === 0 ? {} : { images }),
    ...(mode === 'plan' ? { isPlanOnly: true } : {}),
  };
  const [, name, words = ''] = /^\/([a-z][a-z0-9-]*)(?:\s+([\s\S]*))?$/.exec(question) ?? [];
  if (name === undefined)
    return () => kernel.ask(question, { ...common, isTyped: mode !== 'plan' });
  const names = listSkills(kernel.config).map((each) => each.name);
  if (!names.includes(name)) {
    throw new KernelError('not-found', `there is no command /${name}${didYouMean(name, names)}`, {
      hint: `There are: ${names.map((each) => `/${each}`).join(', ')}`,
    });
  }
  const { skill } = findSkill(name, kernel.config);
  if ((await kernel.modelName()) !== 'none')
    return () => kernel.ask(skillQuestion(skill, words), { ...common, skill: name });
  const plain = withoutModel(skill, words);
  const { ask, run } = plain;
  return ask === undefined
    ? () => kernel.run(run, {}, { signal, client })
    : () => kernel.ask(ask, common);
}

/** How a run ended, as the protocol says it. */
function ended({
  run,
  failure,
  stop,
  shown,
  isCanceled,
}: {
  run: string | undefined;
  failure: EventOf<'error'> | undefined;
  stop: EventOf<'answer'>['stop'];
  shown(text: string): string;
  isCanceled: boolean;
}): PromptResponse {
  const _meta = { run };
  if (isCanceled || failure?.code === 'canceled') return { stopReason: 'cancelled', _meta };
  if (stop === 'rounds' || stop === 'tool-calls') return { stopReason: 'max_turn_requests', _meta };
  if (stop === 'tokens' || stop === 'cut-off') return { stopReason: 'max_tokens', _meta };
  if (stop === 'refused') return { stopReason: 'refusal', _meta };
  if (failure === undefined) return { stopReason: 'end_turn', _meta };
  const { code, message, hint } = failure;
  const { code: number } = toRequestError(new KernelError(code, message));
  const text = [message, hint].filter(Boolean).join('. ');
  throw new RequestError(number, shown(text), { code, run });
}
