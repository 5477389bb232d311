import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Readable, Writable } from 'node:stream';
import {
  type ClientConnection,
  client,
  ndJsonStream,
  type RequestPermissionRequest,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Place } from './place.ts';
import { program } from './run-cuervo.ts';

export type AcpClient = AsyncDisposable & {
  agent: ClientConnection['agent'];
  updates: SessionUpdate[];
  questions: RequestPermissionRequest[];
  /** words of the answers so far */
  said(): string;
  stderr(): string;
  /** what the protocol's schema says against messages of the agent */
  faults: string[];
  kill(): void;
  /** the exit code, when it has ended */
  exited: Promise<number | null>;
};

/** What a person behind the client chooses. */
export type Choose = (question: RequestPermissionRequest, nth: number) => string | Promise<string>;

const schema = JSON.parse(
  readFileSync(
    createRequire(import.meta.url).resolve('@agentclientprotocol/sdk/schema/v1/schema.json'),
    'utf8',
  ),
) as { $defs: Record<string, unknown> };
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(schema, 'acp');

const validators = new Map<string, ValidateFunction>();
function faultsOf(name: string, value: unknown): string[] {
  const validate = validators.get(name) ?? ajv.compile({ $ref: `acp#/$defs/${name}` });
  validators.set(name, validate);
  return validate(value) ? [] : [`${name}: ${ajv.errorsText(validate.errors)}`];
}

/** The official client with `cuervo acp` as a process of its own. */
export async function openAcpClient(
  place: Place,
  options: {
    args?: readonly string[];
    env?: Record<string, string>;
    name?: string;
    choose?: Choose;
    /** texts of buffers that are not saved */
    buffers?: Readonly<Record<string, string>>;
  } = {},
): Promise<AcpClient> {
  const { args = [], env = {}, name = 'tests', choose, buffers } = options;
  const child = spawn(process.execPath, [program, 'acp', ...args], {
    env: { PATH: process.env.PATH ?? '', CUERVO_HOME: place.home, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const faults: string[] = [];
  const updates: SessionUpdate[] = [];
  const questions: RequestPermissionRequest[] = [];
  const app = client({ name })
    .onNotification('session/update', ({ params }) => {
      faults.push(...faultsOf('SessionNotification', params));
      updates.push(params.update);
    })
    .onRequest('fs/read_text_file', ({ params }) => {
      const content = buffers?.[params.path];
      if (content === undefined) throw new Error('there is no such buffer');
      return { content };
    })
    .onRequest('session/request_permission', async ({ params }) => {
      faults.push(...faultsOf('RequestPermissionRequest', params));
      questions.push(params);
      const optionId = (await choose?.(params, questions.length)) || undefined;
      return {
        outcome:
          optionId === undefined
            ? { outcome: 'cancelled' as const }
            : { outcome: 'selected' as const, optionId },
      };
    });
  const connection = app.connect(
    ndJsonStream(
      Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
      Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
    ),
  );
  const { agent } = connection;
  const hello = await agent.request('initialize', {
    protocolVersion: 1,
    clientInfo: { name, version: '1.0.0' },
    clientCapabilities: { fs: { readTextFile: buffers !== undefined, writeTextFile: false } },
  });
  faults.push(...faultsOf('InitializeResponse', hello));
  return {
    ...{ agent, updates, questions, faults, exited },
    said: () =>
      updates
        .flatMap((each) =>
          each.sessionUpdate === 'agent_message_chunk' && each.content.type === 'text'
            ? [each.content.text]
            : [],
        )
        .join(''),
    stderr: () => stderr,
    kill: () => void child.kill('SIGKILL'),
    [Symbol.asyncDispose]: async () => {
      connection.close();
      child.stdin.end();
      await exited;
    },
  };
}
