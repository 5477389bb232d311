import type { Bench } from '../bench-context.ts';
import { callTool, openHost } from '../bench-host.ts';
import { benchLine, type Target } from '../bench-line.ts';
import { interleave, pause, timed } from '../measure.ts';

/** 1 KB of plain text. */
export const text = 'every tool is a component. '.repeat(40).slice(0, 1024);

/** Between two calls of either side, so that what it does after an answer is done. */
export const idleMs = 4;

function check(answer: string): void {
  if (answer !== text) throw new Error(`the echo answered ${answer.length} other characters`);
}

const warm: Target = { name: 'call.warm', unit: 'ms', reach: '<= 0.8x' };

const callWarm: Bench = {
  ...warm,
  run: async (context) => {
    const { store } = await context.echo();
    const peers = await context.peers();
    await using host = openHost(store);
    const ours = async (): Promise<void> => check(await callTool(host, 'echo.text', { text }));
    const server = typeof peers === 'string' ? undefined : await peers.openMcpEcho();
    const theirs = async (): Promise<void> => check((await server?.call(text)) ?? '');
    const side = (call: () => Promise<void>) => async () => {
      await pause(idleMs);
      return await timed(call);
    };
    const runs = 300;
    try {
      const { a, b } = await interleave(
        { runs, warmUps: 50 },
        side(ours),
        server === undefined ? undefined : side(theirs),
      );
      const note = typeof peers === 'string' ? peers : undefined;
      return benchLine(warm, { value: a, runs, peer: 'MCP SDK, stdio', peerValue: b, note });
    } finally {
      await server?.close();
    }
  },
};

const fresh: Target = { name: 'call.fresh', unit: 'ms', reach: '<= 2 ms' };

/** Calls of ours in a row; the first finds an instance prepared and is not counted. */
const callsInRow = 10;

const callFresh: Bench = {
  ...fresh,
  run: async (context) => {
    const { store } = await context.echo();
    const peers = await context.peers();
    await using host = openHost(store);
    const ours = async (): Promise<void> => check(await callTool(host, 'echo.text', { text }));
    const oursInRow = async (): Promise<number> => {
      await ours();
      const totalMs = await timed(async () => {
        for (let call = 0; call < callsInRow; call += 1) await ours();
      });
      await pause(idleMs);
      return totalMs / callsInRow;
    };
    const theirs =
      typeof peers === 'string'
        ? undefined
        : () => timed(async () => check(await peers.callExtismEcho(text)));
    const runs = 30;
    const { a, b } = await interleave({ runs, warmUps: 5 }, oursInRow, theirs);
    const note = typeof peers === 'string' ? peers : undefined;
    return benchLine(fresh, { value: a, runs, peer: 'Extism, in worker', peerValue: b, note });
  },
};

export const callBenches: readonly Bench[] = [callWarm, callFresh];
