import { spawn } from 'node:child_process';
import { expect } from 'vitest';
import type { Place } from './place.ts';
import { program } from './run-cuervo.ts';

export type Reply = {
  id?: unknown;
  result?: { content?: { text: string }[]; isError?: boolean; sessionId?: string };
  method?: string;
  error?: { code: number; message: string };
};

/** A server, such as `cuervo mcp serve`, whose client writes bytes. */
export function openRaw(place: Place, args: readonly string[]) {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: place.work,
    env: { PATH: process.env.PATH ?? '', CUERVO_HOME: place.home },
  });
  const replies: Reply[] = [];
  const lines = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    lines.out += chunk.toString();
    const whole = lines.out.split('\n');
    lines.out = whole.pop() ?? '';
    replies.push(...whole.map((line) => JSON.parse(line) as Reply));
  });
  child.stderr.on('data', (chunk: Buffer) => {
    lines.err += chunk.toString();
  });
  child.stdin.on('error', () => {});
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const send = (...messages: unknown[]): void => {
    for (const message of messages)
      child.stdin.write(typeof message === 'string' ? message : `${JSON.stringify(message)}\n`);
  };
  const reply = async (id: unknown): Promise<Reply> => {
    await expect.poll(() => replies.some((each) => each.id === id), { timeout: 30_000 }).toBe(true);
    return replies.find((each) => each.id === id) as Reply;
  };
  return {
    ...{ send, reply, replies, ended, child },
    stderr: () => lines.err,
    end: async () => {
      child.stdin.end();
      return await ended;
    },
  };
}

export const ask = (id: unknown, method: string, params: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
