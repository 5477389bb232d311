import { join } from 'node:path';
import type { Bench } from '../bench-context.ts';
import { callTool, installFrom, openHost, root } from '../bench-host.ts';
import { benchLine, type Target } from '../bench-line.ts';
import { interleave, pause, timed } from '../measure.ts';

const first: Target = { name: 'process.first', unit: 'ms', reach: '<= 0.35x' };

const text = 'every tool is a component';

/** From nothing running to the first answer; ours checks the plugin's digests, too. */
const processFirst: Bench = {
  ...first,
  run: async (context) => {
    const { store } = await context.echo();
    const peers = await context.peers();
    const ours = async (): Promise<number> => {
      await using host = openHost(store);
      return await timed(() => callTool(host, 'echo.text', { text }));
    };
    const theirs = async (): Promise<number> => {
      if (typeof peers === 'string') throw new Error(peers);
      let server: Awaited<ReturnType<typeof peers.openMcpEcho>> | undefined;
      try {
        return await timed(async () => {
          server = await peers.openMcpEcho();
          return await server.call(text);
        });
      } finally {
        await server?.close();
      }
    };
    const runs = 31;
    const isThere = typeof peers !== 'string';
    const { a, b } = await interleave({ runs, warmUps: 2 }, ours, isThere ? theirs : undefined);
    const note = isThere ? undefined : peers;
    return benchLine(first, { value: a, runs, peer: 'MCP SDK, stdio', peerValue: b, note });
  },
};

const spare: Target = { name: 'process.spare', unit: 'ms', reach: '<= 25 ms' };

/** Long enough for a spare to be started and to have compiled what plugins share. */
const spareReadyMs = 900;

/** The first answer of a plugin that takes over the spare, which another one left behind. */
const processSpare: Bench = {
  ...spare,
  run: async (context) => {
    const echo = await context.echo();
    using other = await installFrom(join(root, 'examples', 'plugins', 'wordcount'));
    const ours = async (): Promise<number> => {
      await using host = openHost(echo.store, {}, other.store);
      await callTool(host, 'wordcount.count', { text });
      await pause(spareReadyMs);
      return await timed(() => callTool(host, 'echo.text', { text }));
    };
    const runs = 15;
    const { a } = await interleave({ runs, warmUps: 2 }, ours, undefined);
    return benchLine(spare, { value: a, runs });
  },
};

export const processBenches: readonly Bench[] = [processFirst, processSpare];
