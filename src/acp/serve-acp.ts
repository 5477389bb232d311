import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import {
  type AgentApp,
  type AgentContext,
  agent,
  MessageTooLargeError,
  ndJsonStream,
  PROTOCOL_VERSION,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import type { ClientAnswers } from '../contracts/config.ts';
import { createContentGate } from '../contracts/content-gate.ts';
import { KernelError } from '../contracts/error.ts';
import { listSkills } from '../kernel/skills/skill-commands.ts';
import type { Kernel } from '../kernel.ts';
import { protectedBelow } from '../lib/files/paths.ts';
import { onAbort } from '../lib/signals.ts';
import { escapeLine } from '../lib/text/escape.ts';
import { answerPrompt, type PromptPorts } from './answer-prompt.ts';
import { checkMode, modeState } from './modes.ts';
import { createSessions, type Session, type Sessions } from './sessions.ts';
import { answering } from './to-request-error.ts';
import type { View } from './tool-calls.ts';

/** Bytes of one message, files in it among them. */
const maxMessageBytes = 48 * 1024 * 1024;
const maxClientName = 80;
const maxListed = 50;

export type AcpPorts = Pick<PromptPorts, 'consent' | 'setMode'> & {
  version: string;
  /** tells one sentence to whoever reads the log */
  warn(text: string): void;
  /** opens a kernel for a folder; what it asks goes through `consent` */
  openKernel(workspace: string): Promise<Kernel>;
  signal: AbortSignal;
  input: Readable;
  output: Writable;
};

/** Serves the client that started this process, until it closes its end. */
export async function serveAcp(ports: AcpPorts): Promise<void> {
  await using sessions = createSessions(ports.openKernel);
  const app = createAcpApp(sessions, ports);
  const output = Writable.toWeb(ports.output) as WritableStream<Uint8Array>;
  const input = Readable.toWeb(Readable.from(paced(ports))) as ReadableStream<Uint8Array>;
  const connection = app.connect(ndJsonStream(output, input, { maxMessageBytes }));
  const forget = onAbort(ports.signal, () => connection.close());
  await connection.closed;
  const { reason } = connection.signal;
  if (reason instanceof MessageTooLargeError)
    ports.warn(`the editor sent more than ${maxMessageBytes} bytes in one message, the limit`);
  forget();
}

/** The input, which waits while the client does not read what it was sent. */
async function* paced({
  input,
  output,
}: Pick<AcpPorts, 'input' | 'output'>): AsyncGenerator<Uint8Array> {
  for await (const chunk of input) {
    if (output.writableNeedDrain) await once(output, 'drain');
    yield chunk as Uint8Array;
  }
}

/** What this program answers to the methods of the protocol. */
function createAcpApp(sessions: Sessions, ports: AcpPorts): AgentApp {
  const { openKernel, consent, setMode } = ports;
  let clientName = 'a client without a name';
  let hasBuffers = false;

  const answersOf = ({ kernel }: Session): ClientAnswers =>
    kernel.config.mcp.answers[clientName] ?? 'none';
  const modesOf = (session: Session) => modeState(session.mode, answersOf(session));

  return agent({ name: 'cuervo' })
    .onRequest('initialize', ({ params }) => {
      clientName = escapeLine(params.clientInfo?.name ?? clientName).slice(0, maxClientName);
      hasBuffers = params.clientCapabilities?.fs?.readTextFile === true;
      return {
        protocolVersion: PROTOCOL_VERSION,
        agentInfo: { name: 'cuervo', version: ports.version },
        agentCapabilities: {
          loadSession: true,
          promptCapabilities: { embeddedContext: true, image: true },
          sessionCapabilities: { list: {}, resume: {}, close: {} },
        },
        authMethods: [],
      };
    })
    .onRequest('session/new', ({ params, client }) =>
      answering(async () => {
        const named = params.mcpServers.length;
        if (named > 0)
          ports.warn(`${named} MCP servers of the editor are not used: cuervo mcp add`);
        const session = await sessions.open(params.cwd, async () => randomUUID());
        tellCommands(client, session);
        return { sessionId: session.id, modes: modesOf(session) };
      }),
    )
    .onRequest('session/load', ({ params, client }) =>
      answering(async () => {
        const session = await openStored(sessions, params.cwd, params.sessionId);
        await tellHistory(client, session);
        tellCommands(client, session);
        return { modes: modesOf(session) };
      }),
    )
    .onRequest('session/resume', ({ params, client }) =>
      answering(async () => {
        const session = await openStored(sessions, params.cwd, params.sessionId);
        tellCommands(client, session);
        return { modes: modesOf(session) };
      }),
    )
    .onRequest('session/list', ({ params }) =>
      answering(() => listSessions(openKernel, params.cwd ?? undefined)),
    )
    .onRequest('session/close', ({ params }) =>
      answering(async () => {
        await sessions.close(params.sessionId);
        return {};
      }),
    )
    .onRequest('session/set_mode', ({ params }) =>
      answering(async () => {
        const session = sessions.get(params.sessionId);
        session.mode = checkMode(params.modeId, clientName, answersOf(session));
        return {};
      }),
    )
    .onNotification('session/cancel', ({ params }) => sessions.cancel(params.sessionId))
    .onRequest('session/prompt', ({ params, client, signal }) =>
      answering(async () => {
        const session = sessions.get(params.sessionId);
        return await sessions.prompting(session, signal, (ending) =>
          answerPrompt(session, params.prompt, {
            ...{ client, clientName, hasBuffers, consent, setMode, signal: ending },
            answers: answersOf(session),
            view: viewOf(session.kernel),
            send: (sent) => update(client, session, sent),
          }),
        );
      }),
    );
}

function update(client: AgentContext, { id }: Session, sent: SessionUpdate): Promise<void> {
  return client.notify('session/update', { sessionId: id, update: sent });
}

function viewOf(kernel: Kernel): View {
  const { config } = kernel;
  const guard = kernel.remoteGuard({ isPerson: true });
  const gate = createContentGate(protectedBelow(config));
  return {
    workspace: config.workspace,
    shown: (text) => guard.outside({ source: 'cuervo', text }).text,
    shows: (path) => gate.shows({ root: 'work', path }, 'person'),
  };
}

/** The commands are told behind the answer that names the session. */
function tellCommands(client: AgentContext, session: Session): void {
  const availableCommands = listSkills(session.kernel.config)
    .filter(({ fault }) => fault === undefined)
    .map(({ name, description = '' }) => ({
      ...{ name, description: escapeLine(description).slice(0, 300) },
      input: { hint: 'what it is about' },
    }));
  setImmediate(() => {
    // A client that is gone is told nothing.
    update(client, session, {
      sessionUpdate: 'available_commands_update',
      availableCommands,
    }).catch(() => {});
  });
}

async function tellHistory(client: AgentContext, session: Session): Promise<void> {
  const { shown } = viewOf(session.kernel);
  for (const { role, text } of (await session.kernel.store()).messages(session.id)) {
    const sessionUpdate = role === 'user' ? 'user_message_chunk' : 'agent_message_chunk';
    await update(client, session, { sessionUpdate, content: { type: 'text', text: shown(text) } });
  }
}

/** @throws {KernelError} `not-found`, also for a session of another folder */
async function openStored(sessions: Sessions, cwd: string, id: string): Promise<Session> {
  return await sessions.open(cwd, async (kernel) => {
    const found = (await kernel.store()).session(id);
    if (found?.project === kernel.config.workspace) return found.id;
    const detail = `there is no session "${escapeLine(id).slice(0, 80)}" in this folder`;
    throw new KernelError('not-found', detail, { hint: 'See them with: cuervo session list' });
  });
}

async function listSessions(openKernel: AcpPorts['openKernel'], cwd: string | undefined) {
  if (cwd === undefined) {
    throw new KernelError('invalid-argument', 'sessions are listed by their folder', {
      hint: 'Send cwd; all of them: cuervo session list --all',
    });
  }
  await using kernel = await openKernel(cwd);
  const { workspace } = kernel.config;
  const { shown } = viewOf(kernel);
  const rows = (await kernel.store()).sessions({ project: workspace, limit: maxListed });
  return {
    sessions: rows.map(({ id, title, updatedMs }) => ({
      ...{ sessionId: id, cwd: workspace, title: escapeLine(shown(title)) },
      updatedAt: new Date(updatedMs).toISOString(),
    })),
  };
}
